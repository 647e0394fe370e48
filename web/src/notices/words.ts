// The words about notices: a catalogue of its own, loaded with their dialog.
import english from '../../../src/industry/texts/en/notices.json'
import { furtherWords } from '../lib/furtherWords'

export const { ready, tell } = furtherWords([english], {
  de: async () => [(await import('../../../src/industry/texts/de/notices.json')).default],
  fr: async () => [(await import('../../../src/industry/texts/fr/notices.json')).default],
})
