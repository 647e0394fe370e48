// The words of the rules: a catalogue of its own, loaded when somebody wants to read them.
import { language } from '../../lib/i18n.svelte'
import type { Edition, Language } from '../../lib/protocol'

interface Tree {
  [key: string]: string | Tree
}

const FILES: Record<Language, () => Promise<{ default: Tree }>> = {
  en: () => import('../../../../src/industry/texts/en/rulebook.json'),
  de: () => import('../../../../src/industry/texts/de/rulebook.json'),
  fr: () => import('../../../../src/industry/texts/fr/rulebook.json'),
}

let words: Tree | null = $state.raw(null)

/** Have the words of the language that is spoken; for use in an effect. */
export function load(): void {
  const wanted = language()
  void FILES[wanted]().then((file) => {
    if (language() === wanted) words = file.default['rulebook'] as Tree
  })
}

export function isLoaded(): boolean {
  return words !== null
}

/** What stands under a key of the rulebook, with its signs in braces; empty until it is loaded. */
export function text(key: string): string {
  let node: string | Tree | undefined = words ?? ''
  for (const part of key.split('.')) node = typeof node === 'object' ? node[part] : undefined
  return typeof node === 'string' ? node : ''
}

/** The paragraph of a rule in an edition. */
export function ruleText(id: string, edition: Edition): string {
  return text(`rule.${id}.${edition}`) || text(`rule.${id}.both`)
}
