// Looks at the bag whenever something is published about it, and keeps the promise at first sight.
import { recordOf } from './api'
import { checkBag, drawsIn, NOTHING_FOUND } from './bag'
import { heldAt, hold } from './seatTokens'
import type { Table } from './table.svelte'

/** Changes whenever something new is known about the bag. */
export function published(table: Table): string {
  const { view } = table
  return view ? JSON.stringify([view.proof, view.status, table.seats]) : ''
}

/** Check the bag of a table with what this browser keeps. */
export async function lookAtBag(table: Table): Promise<void> {
  const { view, log, seats } = table
  const known = heldAt(view.table)
  const held = known && !known.commitment ? hold(view.table, [], null, { commitment: view.proof.commitment }) : known
  const draws = await allDraws(table)
  const found = draws ? await checkBag(view, log, draws, held, seats) : { ...NOTHING_FOUND, draws: 'broken' as const }
  if (published(table) === JSON.stringify([view.proof, view.status, seats])) table.bag = found
}

/** Every draw of the game; null where the server's record contradicts what this screen has seen. */
async function allDraws({ log, view }: Table): Promise<string[][] | null> {
  const seen = drawsIn(log)
  if (!view.game || log[0]?.version === 1) return seen
  const text = await recordOf(view.table).catch(() => '')
  const all = [...text.matchAll(/"draw ([^"]+)"/g)].map((line) => line[1]!.split(' '))
  if (!all.length) return seen
  const sorted = (draws: string[][]): string => JSON.stringify(draws.map((fields) => [...fields].sort()))
  return sorted(all.slice(all.length - seen.length)) === sorted(seen) ? all : null
}
