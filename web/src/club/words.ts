// The words of the club: a catalogue of its own, loaded with its pages.
import english from '../../../src/industry/texts/en/club.json'
import { furtherWords } from '../lib/furtherWords'

export const { ready, tell } = furtherWords([english], {
  de: async () => [(await import('../../../src/industry/texts/de/club.json')).default],
  fr: async () => [(await import('../../../src/industry/texts/fr/club.json')).default],
})
