// Sentences with chips in them, as plain text: for the live region.
import type { Piece } from '../parts/RichText.svelte'
import { figure, template, word } from './i18n.svelte'
import type { LogLine } from './gameLog'

function spelled(piece: Piece, nameOf: (seat: number) => string): string {
  if (typeof piece !== 'object') return figure(piece)
  if ('seat' in piece) return nameOf(piece.seat)
  if ('resource' in piece) return word('resource', piece.resource)
  return piece.list.map((one) => spelled(one, nameOf)).join(' ')
}

export function plain(line: LogLine, nameOf: (seat: number) => string): string {
  return template(line.key, line.values).replace(/\{(\w+)\}/g, (_, name: string) =>
    spelled(line.values[name] ?? '', nameOf),
  )
}
