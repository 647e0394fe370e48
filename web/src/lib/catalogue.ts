// Catalogues of texts: trees of sentences in JSON, read as one list of keys.
import type { Language } from './protocol'

export interface Plural {
  one: string
  other: string
}
export interface Tree {
  [key: string]: string | Plural | Tree
}
export type KeysOf<T, Before extends string = ''> = {
  [K in keyof T & string]: T[K] extends string | Plural ? `${Before}${K}` : KeysOf<T[K], `${Before}${K}.`>
}[keyof T & string]
export type Flat = Map<string, string | Plural>

/** Returns all sentences of some trees under their full keys. */
export function flat(trees: readonly Tree[]): Flat {
  const found: Flat = new Map()
  const walk = (tree: Tree, before: string): void => {
    for (const [key, value] of Object.entries(tree)) {
      if (typeof value === 'string') found.set(before + key, value)
      else if (isPlural(value)) found.set(before + key, value)
      else walk(value, `${before}${key}.`)
    }
  }
  for (const tree of trees) walk(tree, '')
  return found
}

function isPlural(value: Tree | Plural): value is Plural {
  return typeof value['one'] === 'string' && typeof value['other'] === 'string'
}

const rules = new Map<Language, Intl.PluralRules>()

/** Chooses the form of a sentence for a number. */
export function pluralForm(language: Language, count: number): 'one' | 'other' {
  const known = rules.get(language) ?? new Intl.PluralRules(language)
  rules.set(language, known)
  return known.select(Math.abs(count)) === 'one' ? 'one' : 'other'
}
