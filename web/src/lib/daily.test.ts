import { describe, expect, it } from 'vitest'
import { resultOf, streakOf, type DailyTry } from './daily'
import type { LobbyTable } from './protocol'

const RESULT = { points: 40, place: 1, players: 3, others: [] }
const day = (date: string, isDone = true): DailyTry => ({
  date,
  table: 'x',
  edition: 'industry',
  result: isDone ? RESULT : null,
})

describe('daily deals in a row', () => {
  const days = ['2026-11-10', '2026-11-15', '2026-11-16', '2026-11-17'].map((date) => day(date))

  it('count up to today, or to yesterday while today is not played', () => {
    expect(streakOf(days, '2026-11-17').now).toBe(3)
    expect(streakOf(days, '2026-11-18').now).toBe(3)
    expect(streakOf(days, '2026-11-19').now).toBe(0)
    expect(streakOf([...days, day('2026-11-18')], '2026-11-18').now).toBe(4)
  })

  it('do not count a try without a result', () => {
    expect(streakOf([day('2026-11-18', false)], '2026-11-18')).toEqual({ now: 0, longest: 0 })
  })

  it('go over the end of a month, and the longest row is kept', () => {
    const more = [...days, day('2026-12-01'), day('2026-11-30')]
    expect(streakOf(more, '2026-12-01')).toEqual({ now: 2, longest: 3 })
  })
})

describe('the result of a daily deal', () => {
  const seats = [1, 2, 3].map((seat) => ({ seat, bot: seat === 2 ? null : 'foreman', name: `N${seat}` }))
  const table = { points: [50, 44, 41], winners: [1], seats } as unknown as LobbyTable

  it('has points, place, and the points of each bot', () => {
    expect(resultOf(table, 2)).toEqual({
      points: 44,
      place: 2,
      players: 3,
      others: [
        { bot: 'foreman', name: 'N1', points: 50 },
        { bot: 'foreman', name: 'N3', points: 41 },
      ],
    })
  })

  it('is none while the game runs', () => {
    expect(resultOf({ ...table, points: [] }, 2)).toBeNull()
  })
})
