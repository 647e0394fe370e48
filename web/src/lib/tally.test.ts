import { describe, expect, it } from 'vitest'
import type { MyGame } from './myGames'
import { placeOf, tallyOf } from './tally'

const seats = (bots: string[]): object[] =>
  [null, ...bots].map((bot, index) => ({ seat: index + 1, bot, taken_back: index ? 0 : 2 }))
const over = (changed: number, points: number[], winners: number[], bots: string[]): MyGame =>
  ({
    id: String(changed),
    seats: [1],
    yourTurn: false,
    table: { status: 'over', options: { what_if: false }, changed, points, winners, seats: seats(bots) },
  }) as unknown as MyGame

describe('what came of one’s own games', () => {
  const games = [
    over(3, [40, 30, 20], [1], ['foreman', 'engineer']),
    over(1, [40, 30, 20], [1], ['foreman', 'foreman']),
    over(2, [30, 30, 20], [2], ['foreman', 'apprentice']),
    { ...over(4, [], [], []), table: null },
    over(5, [], [], ['foreman', 'foreman']),
  ]

  it('counts wins against each bot once per game, and rows in the order of time', () => {
    const tally = tallyOf(games)
    expect(tally).toMatchObject({ games: 3, wins: 2, best: 40, streak: 1, longest: 1 })
    expect(tally.against).toContainEqual({ bot: 'foreman', games: 3, wins: 2 })
    expect(tally.against).toContainEqual({ bot: 'engineer', games: 1, wins: 1 })
  })

  it('tells the place, also of who lost by the tie-break', () => {
    expect(placeOf(games[0]!)).toEqual({ place: 1, points: 40, players: 3, takenBack: 2 })
    expect(placeOf(games[2]!)?.place).toBe(2)
    expect(placeOf(games[4]!)).toBeNull()
  })
})
