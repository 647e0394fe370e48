// The words of the lessons and of the daily deal: a catalogue of its own, loaded with their pages.
import english from '../../../../src/industry/texts/en/lessons.json'
import { furtherWords } from '../../lib/furtherWords'

export const { ready, tell } = furtherWords([english], {
  de: async () => [(await import('../../../../src/industry/texts/de/lessons.json')).default],
  fr: async () => [(await import('../../../../src/industry/texts/fr/lessons.json')).default],
})
