// Calling somebody to the table: the page's title, a short sound, a notice of the system.
import { say } from './i18n.svelte'
import { prefs } from './prefs.svelte'

let sounds: AudioContext | null = null

/** Two soft strokes of a bell. */
function chime(): void {
  sounds ??= new AudioContext()
  const begin = sounds.currentTime
  for (const [delay, pitch] of [
    [0, 660],
    [0.16, 880],
  ] as const) {
    const tone = sounds.createOscillator()
    const volume = sounds.createGain()
    tone.frequency.value = pitch
    tone.type = 'sine'
    volume.gain.setValueAtTime(0, begin + delay)
    volume.gain.linearRampToValueAtTime(0.12, begin + delay + 0.02)
    volume.gain.exponentialRampToValueAtTime(0.0001, begin + delay + 0.5)
    tone.connect(volume).connect(sounds.destination)
    tone.start(begin + delay)
    tone.stop(begin + delay + 0.55)
  }
}

export async function askToNotify(): Promise<boolean> {
  if (!('Notification' in window)) return false
  return (await Notification.requestPermission()) === 'granted'
}

/** It has become this screen's turn. */
export function callToTable(what: string): void {
  if (prefs.sound) {
    try {
      chime()
    } catch {
      // a browser that plays nothing before the first click
    }
  }
  if (prefs.notify && document.hidden && 'Notification' in window && Notification.permission === 'granted') {
    const notice = new Notification(say('web.turn.notice'), { body: what, tag: 'industry-turn' })
    notice.onclick = () => {
      window.focus()
      notice.close()
    }
  }
}
