// What if: a table of its own that goes on from a moment of a game.
import { ask, commandId } from './api'
import { language, say } from './i18n.svelte'
import { prefs } from './prefs.svelte'
import type { BranchWish, TableMade } from './protocol'
import { holdSeats } from './seatTokens'

/** The game and the moment to go on from. */
export type Moment = Pick<BranchWish, 'review' | 'table' | 'record' | 'move'>

/** Makes the branch, keeps its seat and tells its table. */
export async function branchOff(moment: Moment, seat: number): Promise<string> {
  const name = prefs.name.trim() || say('pages.me')
  const wish: BranchWish = { ...moment, id: commandId(), seat, name, language: language() }
  const made = await ask<TableMade>('what-if', wish)
  holdSeats(made.table, made.seats, made.host, {})
  return made.table
}
