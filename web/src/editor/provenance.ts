// Where a value comes from, and what becomes of that when it is changed.
import type { BoardDraft, FieldDraft, LinkDraft } from '../lib/protocol'

export type Mark = 'printed' | 'attested' | 'ours'
export const MARKS: readonly Mark[] = ['printed', 'attested', 'ours']

export function markOf(field: FieldDraft, key: string): Mark {
  return field.printed.includes(key) ? 'printed' : field.attested.includes(key) ? 'attested' : 'ours'
}

/** The field with another provenance of one of its values; a source of nothing is left out. */
export function marked(field: FieldDraft, key: string, mark: Mark, print: string): FieldDraft {
  const printed = field.printed.filter((other) => other !== key)
  const attested = field.attested.filter((other) => other !== key)
  if (mark === 'printed') printed.push(key)
  if (mark === 'attested') attested.push(key)
  const source = printed.length || attested.length ? field.source : ''
  return { ...field, printed, attested, source, print: mark === 'printed' ? print : field.print }
}

const ATTESTED = /(?:^|; )ATTESTED: /

export function markOfNote(note: string, printed: boolean): Mark {
  return printed ? 'printed' : ATTESTED.test(note) ? 'attested' : 'ours'
}

/** What a note says without the word for its source. */
export function shownNote(note: string): string {
  return note.replace(/ATTESTED: /, '')
}

export function linksOf(draft: BoardDraft, id: string): LinkDraft[] {
  return draft.links.filter((link) => link.ends.includes(id))
}

export function otherEnd(link: LinkDraft, id: string): string {
  return link.ends[0] === id ? link.ends[1] : link.ends[0]
}
