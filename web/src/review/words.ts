// The words of the review: the catalogue of the command and one of the page, loaded with it.
import shared from '../../../src/industry/texts/en/review.json'
import own from '../../../src/industry/texts/en/reviews.json'
import { language, learn, say, speak, type Key, type KeysOf, type Values } from '../lib/i18n.svelte'
import { prefs } from '../lib/prefs.svelte'

learn([shared, own], {
  de: async () => [
    (await import('../../../src/industry/texts/de/review.json')).default,
    (await import('../../../src/industry/texts/de/reviews.json')).default,
  ],
  fr: async () => [
    (await import('../../../src/industry/texts/fr/review.json')).default,
    (await import('../../../src/industry/texts/fr/reviews.json')).default,
  ],
})

/** Resolves once they can be said in the language that is spoken. */
export const ready: Promise<void> = speak(prefs.language)

/** The sentence of a key of these catalogues, with its values filled in. */
export function tell(key: KeysOf<typeof shared & typeof own>, values: Values = {}): string {
  return say(key as Key, values)
}

/** A word of a family of the review, such as the name of a verdict. */
export function wordOf(family: 'term' | 'verdict' | 'column', name: string): string {
  return say(`review.${family}.${name}` as Key)
}

/** A share with one decimal, as the language writes it. */
export function percent(share: number): string {
  return written((100 * share).toFixed(1))
}

/** A change of a share, with its sign. */
export function change(share: number): string {
  return written(`${share < 0 ? '−' : '+'}${Math.abs(100 * share).toFixed(1)}`)
}

function written(number: string): string {
  return language() === 'en' ? `${number}%` : `${decimal(number)}\u00a0%`
}

/** A number with the decimal sign of the language. */
export function decimal(number: string): string {
  return language() === 'en' ? number : number.replace('.', ',')
}
