// The board before any game: what the drawing of the table needs to show it.
import { emptyView } from '../lib/applyEvents'
import type { BoardInfo, GameView } from '../lib/protocol'

/** Nobody sits there and nothing is drawn; the era is the one that is being entered. */
export function boardInEra(board: BoardInfo, era: number): GameView {
  const view = emptyView(board, 0)
  const markets = Object.entries(view.market).map(([resource, market]) => [
    resource,
    { ...market, bank: market.bank_era <= era },
  ])
  return { ...view, era, market: Object.fromEntries(markets) }
}
