// Words of the client, from the catalogues of the Python package. English is loaded with the page
// and is the type of the keys; the other languages are loaded when they are asked for.
import extras from '../../../src/industry/texts/en/extras.json'
import pages from '../../../src/industry/texts/en/pages.json'
import report from '../../../src/industry/texts/en/report.json'
import rules from '../../../src/industry/texts/en/rules.json'
import web from '../../../src/industry/texts/en/web.json'
import { flat, pluralForm, type Flat, type KeysOf, type Tree } from './catalogue'
import { prefs } from './prefs.svelte'
import type { Language } from './protocol'

type English = typeof extras & typeof pages & typeof report & typeof rules & typeof web
export type Key = KeysOf<English>
export type Values = Record<string, string | number>

export type { KeysOf, Tree }

export const LANGUAGES: readonly Language[] = ['en', 'de', 'fr']
export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', de: 'Deutsch', fr: 'Français' }

const english = flat([extras, pages, report, rules, web])

const loaders: Record<Exclude<Language, 'en'>, () => Promise<Flat>> = {
  de: async () =>
    flat([
      (await import('../../../src/industry/texts/de/extras.json')).default,
      (await import('../../../src/industry/texts/de/pages.json')).default,
      (await import('../../../src/industry/texts/de/report.json')).default,
      (await import('../../../src/industry/texts/de/rules.json')).default,
      (await import('../../../src/industry/texts/de/web.json')).default,
    ]),
  fr: async () =>
    flat([
      (await import('../../../src/industry/texts/fr/extras.json')).default,
      (await import('../../../src/industry/texts/fr/pages.json')).default,
      (await import('../../../src/industry/texts/fr/report.json')).default,
      (await import('../../../src/industry/texts/fr/rules.json')).default,
      (await import('../../../src/industry/texts/fr/web.json')).default,
    ]),
}

type Further = Record<Exclude<Language, 'en'>, () => Promise<Tree[]>>
const further: Further[] = []

/** Take in further catalogues, before the first word is said. */
export function learn(inEnglish: readonly Tree[], others: Further): void {
  for (const [key, entry] of flat(inEnglish)) english.set(key, entry)
  further.push(others)
}

async function wordsOf(wanted: Exclude<Language, 'en'>): Promise<Flat> {
  const [usual, ...more] = await Promise.all([loaders[wanted](), ...further.map((others) => others[wanted]())])
  return new Map([...usual!, ...more.flatMap((trees) => [...flat(trees)])])
}

let spoken = $state.raw<{ language: Language; words: Flat }>({ language: 'en', words: english })

/** The language that is spoken now. */
export function language(): Language {
  return spoken.language
}

/** Speak another language from now on, as soon as its words are there. */
export async function speak(wanted: Language): Promise<void> {
  const words = wanted === 'en' ? english : await wordsOf(wanted)
  if (prefs.language !== wanted) return
  spoken = { language: wanted, words }
  document.documentElement.lang = wanted
}

/** Whether there is such an entry, for keys that are made of a code. */
export function knows(key: string): key is Key {
  return english.has(key)
}

/** The sentence of a key before its values are filled in. */
export function template(key: Key, values: Record<string, unknown> = {}): string {
  const entry = spoken.words.get(key) ?? english.get(key) ?? key
  return typeof entry === 'string' ? entry : entry[pluralForm(spoken.language, Number(values['count'] ?? 0))]
}

/** The sentence of a key, with its values filled in. */
export function say(key: Key, values: Values = {}): string {
  return template(key, values).replace(/\{(\w+)\}/g, (_, name: string) => figure(values[name] ?? `{${name}}`))
}

/** A number as people write it: with a real minus. */
export function figure(value: string | number): string {
  return typeof value === 'number' && value < 0 ? `−${-value}` : String(value)
}

/** With a sign, also before gains. */
export function signed(value: number): string {
  return value > 0 ? `+${value}` : value === 0 ? '±0' : figure(value)
}

/** A word of the rules that belongs to a family of keys, such as the name of a resource. */
export function word(
  family: 'resource' | 'network' | 'kind' | 'part' | 'section' | 'edition' | 'phase',
  name: string,
): string {
  return say(`${family}.${name}` as Key)
}

export function capital(text: string): string {
  return text.charAt(0).toLocaleUpperCase(spoken.language) + text.slice(1)
}

/** `a, b and c`. */
export function listing(words: readonly string[]): string {
  if (words.length < 2) return words[0] ?? say('nothing')
  return say('and', { first: words.slice(0, -1).join(', '), last: words.at(-1)! })
}

/** The name of a field in the language that is spoken. */
export function nameIn(names: Record<string, string>): string {
  return names[spoken.language] ?? names['en'] ?? ''
}
