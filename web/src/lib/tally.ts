// What came of one's own games: against each bot, best points, games won in a row.
import type { MyGame } from './myGames'

export interface Against {
  bot: string
  games: number
  wins: number
}

export interface Tally {
  games: number
  wins: number
  best: number
  /** Won in a row until now, and the longest such row. */
  streak: number
  longest: number
  against: Against[]
}

/** The place of a seat in a finished game, from 1; null where the result is not known. */
export function placeOf(game: MyGame): { place: number; points: number; players: number; takenBack: number } | null {
  const [seat] = game.seats
  const { table } = game
  const points = table?.points ?? []
  if (
    !table ||
    table.options.what_if ||
    table.status !== 'over' ||
    !seat ||
    game.seats.length > 1 ||
    points.length < seat
  )
    return null
  const own = points[seat - 1]!
  const place = table.winners.includes(seat) ? 1 : Math.max(2, 1 + points.filter((other) => other > own).length)
  return { place, points: own, players: points.length, takenBack: table.seats[seat - 1]?.taken_back ?? 0 }
}

/** All finished games with a seat of one's own, the oldest first. */
export function tallyOf(games: readonly MyGame[]): Tally {
  const tally: Tally = { games: 0, wins: 0, best: 0, streak: 0, longest: 0, against: [] }
  const found = new Map<string, Against>()
  for (const game of games.toSorted((one, other) => (one.table?.changed ?? 0) - (other.table?.changed ?? 0))) {
    const result = placeOf(game)
    if (!result || !game.table) continue
    const hasWon = result.place === 1
    tally.games += 1
    tally.wins += hasWon ? 1 : 0
    tally.best = Math.max(tally.best, result.points)
    tally.streak = hasWon ? tally.streak + 1 : 0
    tally.longest = Math.max(tally.longest, tally.streak)
    for (const bot of new Set(game.table.seats.flatMap((seat) => (seat.bot ? [seat.bot] : [])))) {
      const known = found.get(bot) ?? { bot, games: 0, wins: 0 }
      found.set(bot, { bot, games: known.games + 1, wins: known.wins + (hasWon ? 1 : 0) })
    }
  }
  return { ...tally, against: [...found.values()] }
}
