// The words of ratings: a catalogue of its own, loaded with what shows them.
import english from '../../../src/industry/texts/en/ratings.json'
import { furtherWords } from '../lib/furtherWords'
import { language, say, word, type Key } from '../lib/i18n.svelte'
import type { RatedKind, Rating } from '../lib/protocol'

export const { ready, tell } = furtherWords([english], {
  de: async () => [(await import('../../../src/industry/texts/de/ratings.json')).default],
  fr: async () => [(await import('../../../src/industry/texts/fr/ratings.json')).default],
})

/** What the games of a kind are called. */
export function kindName({ edition, players, pace }: RatedKind): string {
  const values = { edition: word('edition', edition), players, pace: say(`ratings.pace.${pace}` as Key) }
  return tell('ratings.kind', values)
}

/** A rating as people see it: with a question mark while little is known. */
export function shownRating({ rating, known }: Rating): string {
  return known ? String(rating) : tell('ratings.unknown', { rating })
}

export function percent(share: number): string {
  return new Intl.NumberFormat(language(), { style: 'percent', maximumFractionDigits: 0 }).format(share)
}

export function decimal(value: number, digits: number): string {
  const format = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return new Intl.NumberFormat(language(), format).format(value)
}
