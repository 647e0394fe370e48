// The words about notices: a catalogue of its own, loaded with their dialog.
import english from '../../../src/industry/texts/en/notices.json'
import { learn, say, speak, type Key, type KeysOf, type Values } from '../lib/i18n.svelte'
import { prefs } from '../lib/prefs.svelte'

learn([english], {
  de: async () => [(await import('../../../src/industry/texts/de/notices.json')).default],
  fr: async () => [(await import('../../../src/industry/texts/fr/notices.json')).default],
})

/** Resolves once they can be said in the language that is spoken. */
export const ready: Promise<void> = speak(prefs.language)

/** The sentence of a key of this catalogue, with its values filled in. */
export function tell(key: KeysOf<typeof english>, values: Values = {}): string {
  return say(key as Key, values)
}
