// What this person likes, kept in this browser.
import type { Language } from './protocol'
import type { Sound } from './sounds'

export const PACES = ['instant', 'fast', 'brisk', 'steady', 'leisurely'] as const
export type Pace = (typeof PACES)[number]
export type Theme = 'system' | 'light' | 'dark'

export interface Prefs {
  name: string
  language: Language
  theme: Theme
  pace: Pace
  sound: boolean
  /** Which of the sounds, where sound is on at all. */
  sounds: Record<Sound, boolean>
  notify: boolean
  confirm: boolean
  /** Everything but the board is larger. */
  large: boolean
}

const PLACE = 'industry.prefs'

function preferredLanguage(): Language {
  for (const wish of navigator.languages ?? []) {
    const start = wish.slice(0, 2)
    if (start === 'en' || start === 'de' || start === 'fr') return start
  }
  return 'en'
}

function stored(): Partial<Prefs> {
  try {
    return JSON.parse(localStorage.getItem(PLACE) ?? '{}') as Partial<Prefs>
  } catch {
    return {}
  }
}

export const prefs: Prefs = $state({
  name: '',
  language: preferredLanguage(),
  theme: 'system',
  pace: 'brisk',
  sound: false,
  notify: false,
  confirm: true,
  large: false,
  ...stored(),
  sounds: { turn: true, time: true, gavel: true, coins: true, era: true, ...stored().sounds },
})

/** Change what is liked, and keep it. */
export function prefer(changes: Partial<Prefs>): void {
  Object.assign(prefs, changes)
  try {
    localStorage.setItem(PLACE, JSON.stringify(prefs))
  } catch {
    // a browser without storage forgets it with the page
  }
}

const night = matchMedia('(prefers-color-scheme: dark)')
let isNight = $state(night.matches)
night.addEventListener('change', () => (isNight = night.matches))

/** Light or dark, with the system's choice resolved. */
export function theme(): 'light' | 'dark' {
  if (prefs.theme !== 'system') return prefs.theme
  return isNight ? 'dark' : 'light'
}

const still = matchMedia('(prefers-reduced-motion: reduce)')

/** Whether things may move. */
export function mayMove(): boolean {
  return !still.matches
}
