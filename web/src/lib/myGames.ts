// The games of this browser: the tables whose secrets it keeps, as the server knows them.
import { mine } from './api'
import { fetchSeats } from './club.svelte'
import { heldTables } from './seatTokens'
import type { LobbyTable } from './protocol'

/** The most tokens that the server takes in one request. */
const MOST = 100

export interface MyGame {
  id: string
  /** Null: the server does not know the table any more. */
  table: LobbyTable | null
  /** One's own seats; empty for a host who only watches. */
  seats: number[]
  yourTurn: boolean
}

const ORDER = { running: 0, open: 1, over: 2, closed: 3 } as const

function rank(game: MyGame): number {
  if (!game.table) return 9
  return game.yourTurn ? -1 : ORDER[game.table.status]
}

/** All own games: one's turn first, then running, open and finished ones, the newest first. */
export async function myGames(): Promise<MyGame[]> {
  await fetchSeats().catch(() => undefined)
  const held = heldTables()
  const owners = held.flatMap(({ table, tokens, host }) =>
    (tokens.length ? tokens : host ? [host] : []).map((token) => ({ table, token })),
  )
  if (!owners.length) return []
  const asked = owners.slice(0, MOST)
  const { tables } = await mine(asked.map((owner) => owner.token))
  const known = new Set(asked.map((owner) => owner.table))
  const games = [...known].map((id): MyGame => {
    const found = tables.filter((mine) => mine.table.table === id)
    const seats = found.flatMap((mine) => (mine.seat === null ? [] : [mine.seat]))
    const table = found[0]?.table
    // tables that ended before results were kept have none
    return {
      id,
      table: table ? { ...table, points: table.points ?? [], winners: table.winners ?? [] } : null,
      seats,
      yourTurn: found.some((mine) => mine.your_turn),
    }
  })
  return games.sort((one, other) => rank(one) - rank(other) || (other.table?.changed ?? 0) - (one.table?.changed ?? 0))
}
