// The board before any game: what the drawing of the table needs to show it.
import type { BoardInfo, GameView } from '../lib/protocol'

/** Nobody sits there and nothing is drawn; the era is the one that is being entered. */
export function boardInEra(board: BoardInfo, era: number): GameView {
  return {
    moves: 0,
    round: 0,
    era,
    phase: 'draw',
    actor: null,
    starting_player: 1,
    auctioneer: null,
    auction: null,
    available: [],
    tokens: Object.fromEntries([...'ABCDEFGHIJKL'].map((letter) => [letter, 'bag' as const])),
    talers: [],
    points: [],
    subsidies: [],
    hands: [],
    fields: {},
    market: Object.fromEntries(board.resources.map((resource) => [resource, marketOf(board, resource, era)])),
    score: [],
    winners: [],
  }
}

/** The bank sells a resource from the era after that in which a field makes it first. */
function marketOf(board: BoardInfo, resource: string, era: number): GameView['market'][string] {
  const makers = board.fields.filter((field) => field.makes === resource)
  const bank_era = Math.min(...makers.map((field) => Number(field.id[0]))) + 1
  return { makers: [], bank: bank_era <= era, bank_era }
}
