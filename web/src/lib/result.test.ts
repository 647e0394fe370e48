import { describe, expect, it } from 'vitest'
import type { GameView } from './protocol'
import { entriesOf } from '../fixtures/fixtureSteps'
import industry from '../fixtures/game-industry-4.json'
import { behind, countedParts, countedTo, curveOf, curveOfPositions, isTied } from './result'

const over = (points: number[], winners: number[]): GameView =>
  ({ score: points.map((sum) => ({ points: sum })), winners }) as unknown as GameView
const nameOf = (seat: number): string => `P${seat}`

describe('the end of a game', () => {
  it('speaks of a tie-break only where the most points were shared', () => {
    expect(isTied(over([30, 20, 20], [1]))).toBe(false)
    expect(isTied(over([30, 30, 20], [2]))).toBe(true)
  })

  it('says where one came in, and how far behind the winner', () => {
    expect(behind(over([30, 13, 20, 25], [1]), 2, nameOf)).toContain('place 4 of 4, 17 points behind P1')
  })

  it('has nothing to add for winners, nor for those who lost a tie-break', () => {
    expect(behind(over([30, 30, 20], [2]), 1, nameOf)).toBe('')
    expect(behind(over([30, 30, 20], [1, 2]), 2, nameOf)).toBe('')
  })

  const views = Object.values(industry.views as unknown as Record<string, GameView>)
  const last = views.at(-1)!

  it('counts part by part up to the final points', () => {
    const parts = countedParts(last)
    expect(countedTo(last, 0).map(({ points }) => points)).toEqual(last.score.map(() => 0))
    expect(countedTo(last, parts.length).map(({ points }) => points)).toEqual(last.score.map(({ points }) => points))
  })

  it('draws totals as if the game had ended after each round, beside development points', () => {
    const curve = curveOfPositions(views)
    const ends = views.filter((view, index) => view.round > 0 && views[index + 1]?.round !== view.round)
    expect(curve.eras).toEqual(ends.map((view) => view.era))
    curve.totals!.forEach((line, seat) => {
      expect(line.slice(1, -1)).toEqual(ends.map((view) => view.score[seat]!.points))
      expect(line.at(-1)).toBe(last.score[seat]!.points)
    })
    const told = curveOf(entriesOf(industry), last)
    expect(told.totals).toBeNull()
    expect(told.points.map((line) => line.at(-1))).toEqual(curve.points.map((line) => line.at(-1)))
  })
})
