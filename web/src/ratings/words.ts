// The words of ratings: a catalogue of its own, loaded with what shows them.
import english from '../../../src/industry/texts/en/ratings.json'
import { language, learn, say, speak, word, type Key, type KeysOf, type Values } from '../lib/i18n.svelte'
import { prefs } from '../lib/prefs.svelte'
import type { RatedKind, Rating } from '../lib/protocol'

learn([english], {
  de: async () => [(await import('../../../src/industry/texts/de/ratings.json')).default],
  fr: async () => [(await import('../../../src/industry/texts/fr/ratings.json')).default],
})

/** Resolves once they can be said in the language that is spoken. */
export const ready: Promise<void> = speak(prefs.language)

/** The sentence of a key of this catalogue, with its values filled in. */
export function tell(key: KeysOf<typeof english>, values: Values = {}): string {
  return say(key as Key, values)
}

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

export function day(at: number): string {
  return new Intl.DateTimeFormat(language(), { dateStyle: 'medium' }).format(at)
}
