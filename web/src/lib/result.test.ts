import { describe, expect, it } from 'vitest'
import type { GameView } from './protocol'
import { behind, isTied } from './result'

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
})
