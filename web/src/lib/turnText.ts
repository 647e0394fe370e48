// Whose turn it is and what about, in one sentence.
import { nameIn, say, type Key } from './i18n.svelte'
import type { Table } from './table.svelte'

/** What the screen's own seat has to decide; empty where it has not. */
export function yourTurn(table: Table): string {
  const yours = table.deciding
  const game = table.game
  if (!yours || !game) return ''
  const field = game.auction ? nameIn(table.field(game.auction.field).name) : ''
  const name = table.seats.length > 1 ? table.nameOf(yours.seat) : ''
  const who = name ? say('web.turn.of', { name }) : say('web.turn.your')
  switch (game.phase) {
    case 'offer':
      return say('web.turn.offer', { who })
    case 'bid':
      return say('web.turn.bid', { who, field })
    case 'settle':
      return say('web.turn.settle', { who, field })
    case 'develop':
      return say('web.turn.develop', { who })
    default:
      return ''
  }
}

/** The same in few words, for small screens. */
export function shortTurn(table: Table): string {
  const yours = table.deciding
  if (!yours || !table.game) return turn(table)
  const who = table.seats.length > 1 ? table.nameOf(yours.seat) : say('web.turn.your')
  return say('web.turn.short', { who, what: say(`web.turn.do_${table.game.phase}` as Key) })
}

/** The same for those who wait or watch. */
export function turn(table: Table): string {
  const game = table.game
  if (!game) return ''
  if (game.phase === 'over') return say('web.turn.over')
  const own = yourTurn(table)
  if (own) return own
  if (game.actor === null) return say('web.turn.draw')
  return say('web.turn.wait', { name: table.nameOf(game.actor) })
}
