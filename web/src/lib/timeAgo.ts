// How long ago something was, as people say it.
import { language } from './i18n.svelte'

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

export function ago(at: number, now = Date.now()): string {
  const passed = Math.max(0, now - at)
  const [unit, size] = STEPS.find(([, size]) => passed >= size) ?? ['minute', 60_000]
  return new Intl.RelativeTimeFormat(language(), { numeric: 'auto' }).format(-Math.floor(passed / size), unit)
}
