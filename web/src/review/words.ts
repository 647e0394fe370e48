// The words of the review: the catalogue of the command and one of the page, loaded with it.
import shared from '../../../src/industry/texts/en/review.json'
import own from '../../../src/industry/texts/en/reviews.json'
import { furtherWords } from '../lib/furtherWords'
import { language, say, type Key } from '../lib/i18n.svelte'

export const { ready, tell } = furtherWords([shared, own], {
  de: async () => [
    (await import('../../../src/industry/texts/de/review.json')).default,
    (await import('../../../src/industry/texts/de/reviews.json')).default,
  ],
  fr: async () => [
    (await import('../../../src/industry/texts/fr/review.json')).default,
    (await import('../../../src/industry/texts/fr/reviews.json')).default,
  ],
})

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
