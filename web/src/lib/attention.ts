// Calling somebody to the table: the page's title, a short sound, a notice of the system.
import { say } from './i18n.svelte'
import { prefs } from './prefs.svelte'
import { hear } from './sounds'

/** One's own time is nearly up. */
export function warn(): void {
  hear('time')
}

export async function askToNotify(): Promise<boolean> {
  if (!('Notification' in window)) return false
  return (await Notification.requestPermission()) === 'granted'
}

/** It has become this screen's turn. */
export function callToTable(what: string): void {
  hear('turn')
  if (prefs.notify && document.hidden && 'Notification' in window && Notification.permission === 'granted') {
    const notice = new Notification(say('web.turn.notice'), { body: what, tag: 'industry-turn' })
    notice.onclick = () => {
      window.focus()
      notice.close()
    }
  }
}
