// The sounds of the table, made here: nothing is loaded.
import { prefs } from './prefs.svelte'

export const SOUNDS = ['turn', 'time', 'gavel', 'coins', 'era'] as const
export type Sound = (typeof SOUNDS)[number]

let context: AudioContext | null = null

interface Tone {
  pitch: number
  /** Where the pitch ends; the same where it stays. */
  to?: number
  delay?: number
  length: number
  volume: number
  shape?: OscillatorType
}

function ring(sounds: AudioContext, { pitch, to = pitch, delay = 0, length, volume, shape = 'sine' }: Tone): void {
  const begin = sounds.currentTime + delay
  const tone = sounds.createOscillator()
  const loudness = sounds.createGain()
  tone.type = shape
  tone.frequency.setValueAtTime(pitch, begin)
  if (to !== pitch) tone.frequency.exponentialRampToValueAtTime(to, begin + length)
  loudness.gain.setValueAtTime(0, begin)
  loudness.gain.linearRampToValueAtTime(volume, begin + Math.min(0.02, length / 4))
  loudness.gain.exponentialRampToValueAtTime(0.0001, begin + length)
  tone.connect(loudness).connect(sounds.destination)
  tone.start(begin)
  tone.stop(begin + length + 0.05)
}

/** A dry knock: noise that is gone at once. */
function knock(sounds: AudioContext, delay: number, volume: number): void {
  const length = Math.round(sounds.sampleRate * 0.06)
  const noise = sounds.createBuffer(1, length, sounds.sampleRate)
  const samples = noise.getChannelData(0)
  for (let index = 0; index < length; index++) samples[index] = (Math.random() * 2 - 1) * (1 - index / length) ** 3
  const source = sounds.createBufferSource()
  const wood = sounds.createBiquadFilter()
  const loudness = sounds.createGain()
  wood.type = 'bandpass'
  wood.frequency.value = 900
  loudness.gain.value = volume
  source.buffer = noise
  source.connect(wood).connect(loudness).connect(sounds.destination)
  source.start(sounds.currentTime + delay)
}

const MAKERS: Record<Sound, (sounds: AudioContext) => void> = {
  turn: (sounds) => {
    ring(sounds, { pitch: 660, length: 0.5, volume: 0.12 })
    ring(sounds, { pitch: 880, delay: 0.16, length: 0.5, volume: 0.12 })
  },
  time: (sounds) => {
    for (const [index, pitch] of [880, 660, 880].entries())
      ring(sounds, { pitch, delay: index * 0.18, length: 0.5, volume: 0.12 })
  },
  gavel: (sounds) => {
    for (const delay of [0, 0.17]) {
      knock(sounds, delay, 0.5)
      ring(sounds, { pitch: 190, to: 85, delay, length: 0.12, volume: 0.25 })
    }
  },
  coins: (sounds) => {
    for (const [index, pitch] of [2350, 2950, 2600].entries())
      ring(sounds, { pitch, delay: index * 0.06, length: 0.16, volume: 0.05, shape: 'triangle' })
  },
  era: (sounds) => {
    for (const [index, pitch] of [262, 330, 392, 523].entries())
      ring(sounds, { pitch, delay: index * 0.12, length: 0.9, volume: 0.09 })
  },
}

/** Let a sound be heard, whatever is switched off: for trying it. */
export function sample(sound: Sound): void {
  try {
    context ??= new AudioContext()
    void context.resume()
    MAKERS[sound](context)
  } catch {
    // a browser that plays nothing before the first click
  }
}

/** Let a sound be heard where it is switched on. */
export function hear(sound: Sound): void {
  if (prefs.sound && prefs.sounds[sound]) sample(sound)
}
