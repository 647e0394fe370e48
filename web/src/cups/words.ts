// The words of cups: a catalogue of its own, loaded with its pages.
import english from '../../../src/industry/texts/en/cups.json'
import { Refused } from '../lib/api'
import { problemText } from '../lib/errorText'
import { furtherWords } from '../lib/furtherWords'
import { knows, language, say } from '../lib/i18n.svelte'

export const { ready, tell } = furtherWords([english], {
  de: async () => [(await import('../../../src/industry/texts/de/cups.json')).default],
  fr: async () => [(await import('../../../src/industry/texts/fr/cups.json')).default],
})

/** The sentence about an error of a request about cups. */
export function cupProblem(error: unknown): string {
  if (error instanceof Refused && error.detail === 'starts') return tell('cups.problem.bad_start')
  const code = error instanceof Refused ? error.code : 'internal'
  const key = `cups.problem.${code}`
  return knows(key) ? say(key) : problemText(error)
}

/** A number with two decimals at most. */
export function decimal(value: number, digits = 2): string {
  return new Intl.NumberFormat(language(), { maximumFractionDigits: digits }).format(value)
}

/** A day and its time. */
export function moment(at: number): string {
  return new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeStyle: 'short' }).format(at)
}

/** A number of hours, in the largest unit of which it is a multiple. */
export function span(hours: number): string {
  const [count, unit] =
    hours % 168 === 0 ? [hours / 168, 'week'] : hours % 24 === 0 ? [hours / 24, 'day'] : [hours, 'hour']
  return new Intl.NumberFormat(language(), { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}
