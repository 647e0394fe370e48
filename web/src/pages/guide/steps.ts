// Which note of the guided round fits what is happening; fixed words, bound to phases.
import type { Table } from '../../lib/table.svelte'

export type Step = 'board' | 'drawn' | 'offer' | 'bid' | 'settle' | 'develop' | 'others' | 'after'

/** The place in the rules that tells more. */
export const RULE_OF: Record<Step, string> = {
  board: 'signs',
  drawn: 'draw.token',
  offer: 'auction.offer.available',
  bid: 'auction.bid.higher',
  settle: 'auction.claim.payment',
  develop: 'development.resource',
  others: 'auction.bid.once',
  after: 'game_end',
}

/** Notes that wait to be read; the others go when their phase goes. */
export const TO_READ: readonly Step[] = ['board', 'drawn', 'after']

export function stepOf(table: Table, read: ReadonlySet<Step>): Step | null {
  const game = table.game
  if (!game || read.has('after')) return null
  if (!read.has('board')) return 'board'
  if (game.round > 1) return 'after'
  if (game.available.length && !read.has('drawn')) return 'drawn'
  const phase = game.phase
  if (table.deciding && (phase === 'offer' || phase === 'bid' || phase === 'settle' || phase === 'develop')) return phase
  return 'others'
}
