// What the editor says: its own catalogue, and that of faults in boards.
import board from '../../../src/industry/texts/en/board.json'
import editor from '../../../src/industry/texts/en/editor.json'
import { capital, knows, say, word, type Key, type KeysOf, type Tree, type Values } from '../lib/i18n.svelte'
import type { BoardDraft, Finding } from '../lib/protocol'

export type Words = KeysOf<typeof board & typeof editor>

export const ENGLISH: Tree[] = [board, editor]
export const CATALOGUES = {
  de: async (): Promise<Tree[]> => [
    (await import('../../../src/industry/texts/de/board.json')).default,
    (await import('../../../src/industry/texts/de/editor.json')).default,
  ],
  fr: async (): Promise<Tree[]> => [
    (await import('../../../src/industry/texts/fr/board.json')).default,
    (await import('../../../src/industry/texts/fr/editor.json')).default,
  ],
}

/** A sentence of the editor. */
export function said(key: Words, values: Values = {}): string {
  return say(key as string as Key, values)
}

/** The name of a value, as forms and faults call it. */
export function valueName(key: string): string {
  const name = `editor.value.${key}`
  return knows(name) ? say(name) : key
}

/** The kind of a field, in the words of its edition. */
export function kindName(kind: string, edition: BoardDraft['edition']): string {
  return kind === 'joker' && edition === 'industria' ? say('web.field.raw_material') : word('kind', kind)
}

const FAMILIES = { resource: 'resource', needs: 'resource', network: 'network', kind: 'kind', kinds: 'kind' } as const

/** A word of a file, or several of them, in the language that is spoken. */
function spelt(name: string, value: Finding['values'][string]): string | number {
  if (typeof value === 'number') return value
  if (Array.isArray(value)) return value.map((one) => spelt(name, one)).join(', ')
  if (name === 'key' || name === 'keys') return valueName(value)
  const family = FAMILIES[name as keyof typeof FAMILIES]
  return family ? word(family, value) : value
}

/** What is wrong in one sentence, with or without the place. */
export function sentenceOf(finding: Finding, withPlace: boolean): string {
  const key = `board.problem.${finding.code}`
  if (!knows(key)) return finding.code
  const known = Object.entries(finding.values).map(([name, value]) => [name, spelt(name, value)])
  const problem = say(key, Object.fromEntries(known))
  return withPlace && finding.place ? said('board.at_place', { place: placeName(finding), problem }) : capital(problem)
}

function placeName({ place, era }: Finding): string {
  if (era !== null) return say('web.field.era', { era })
  return place === 'field' ? said('editor.whole') : valueName(place)
}
