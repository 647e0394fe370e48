// The words of standing orders: a catalogue of its own, loaded with their dialog.
import english from '../../../src/industry/texts/en/orders.json'
import { furtherWords } from '../lib/furtherWords'

export const { ready, tell } = furtherWords([english], {
  de: async () => [(await import('../../../src/industry/texts/de/orders.json')).default],
  fr: async () => [(await import('../../../src/industry/texts/fr/orders.json')).default],
})
