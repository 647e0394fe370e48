// Catalogues that are loaded with what says their words, not with the page.
import type { KeysOf, Tree } from './catalogue'
import { learn, say, speak, type Key, type Values } from './i18n.svelte'
import { prefs } from './prefs.svelte'

type KeysOfEach<Words> = Words extends unknown ? KeysOf<Words> : never

interface FurtherWords<Words> {
  /** Resolves once they can be said in the language that is spoken. */
  ready: Promise<void>
  /** The sentence of a key of these catalogues, with its values filled in. */
  tell: (key: KeysOfEach<Words>, values?: Values) => string
}

/** Takes in catalogues; the other languages are loaded when they are spoken. */
export function furtherWords<Words extends Tree>(
  english: readonly Words[],
  others: Parameters<typeof learn>[1],
): FurtherWords<Words> {
  learn(english, others)
  return { ready: speak(prefs.language), tell: (key, values = {}) => say(key as unknown as Key, values) }
}
