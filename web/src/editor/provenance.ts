// Where values come from: which sources state them, and what becomes of that when they change.
import type { BoardDraft, LinkDraft, SourceDraft, StatementDraft } from '../lib/protocol'

export type Mark = 'printed' | 'attested' | 'ours'
export const MARKS: readonly Mark[] = ['printed', 'attested', 'ours']

/** The title of a printed game whose edition was not entered. */
const PRINTED = 'printed board'
const LONGEST_ID = 40

/** The sources of a board, and what they state about one field, link or the coin column. */
export interface Stated {
  sources: SourceDraft[]
  provenance: StatementDraft[]
}

function isPrint(sources: readonly SourceDraft[], statement: StatementDraft): boolean {
  return sources.some((source) => source.id === statement.source && source.kind === 'print')
}

/** Statements of sources other than a printed game, each with its place in the list. */
export function reports({ sources, provenance }: Stated): { statement: StatementDraft; index: number }[] {
  return provenance
    .map((statement, index) => ({ statement, index }))
    .filter(({ statement }) => !isPrint(sources, statement))
}

export function markOf({ sources, provenance }: Stated, key: string): Mark {
  const stating = provenance.filter((statement) => statement.values.includes(key))
  if (stating.some((statement) => isPrint(sources, statement))) return 'printed'
  return stating.length ? 'attested' : 'ours'
}

/** The same without this value: it has changed, so that no source states it any more. */
export function unstated({ sources, provenance }: Stated, key: string): Stated {
  const left = provenance.map((statement) => without(statement, key))
  return { sources, provenance: left.filter((statement) => statement.values.length || statement.note) }
}

function without(statement: StatementDraft, key: string): StatementDraft {
  return { ...statement, values: statement.values.filter((value) => value !== key) }
}

/** The same with another mark for one value; `print` says which printed game is meant. */
export function marked(stated: Stated, key: string, mark: Mark, print: string): Stated {
  if (mark === 'ours') return unstated(stated, key)
  if (mark === 'printed') return added(withSource(stated, 'print', print.trim() || PRINTED), key)
  const { sources, provenance } = stated
  const left = provenance.map((statement) => (isPrint(sources, statement) ? without(statement, key) : statement))
  const kept = left.filter((statement) => statement.values.length || statement.note)
  const report = reports({ sources, provenance: kept })[0]
  return added({ sources, provenance: kept, source: report?.statement.source ?? '' }, key)
}

/** The sources with one of this kind and title, and its id; a new one where there is none. */
export function withSource(stated: Stated, kind: SourceDraft['kind'], title: string): Stated & { source: string } {
  const known = stated.sources.find((source) => source.kind === kind && source.title === title)
  if (known) return { ...stated, source: known.id }
  const id = newId(stated.sources, title)
  return { ...stated, sources: [...stated.sources, { id, kind, title, address: '' }], source: id }
}

function newId(sources: readonly SourceDraft[], title: string): string {
  const plain = title.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  const stem = plain.replace(/^-+/, '').slice(0, LONGEST_ID).replace(/-+$/, '') || 'source'
  let id = stem
  for (let number = 2; sources.some((source) => source.id === id); number += 1) id = `${stem}-${number}`
  return id
}

function added({ sources, provenance, source }: Stated & { source: string }, key: string): Stated {
  const index = provenance.findIndex((statement) => statement.source === source)
  const statement = provenance[index] ?? { source, values: [], confidence: 'high', note: '' }
  const values = [...statement.values.filter((value) => value !== key), key]
  const changed = { ...statement, values }
  return { sources, provenance: index < 0 ? [...provenance, changed] : provenance.with(index, changed) }
}

export function linksOf(draft: BoardDraft, id: string): LinkDraft[] {
  return draft.links.filter((link) => link.ends.includes(id))
}

export function otherEnd(link: LinkDraft, id: string): string {
  return link.ends[0] === id ? link.ends[1] : link.ends[0]
}
