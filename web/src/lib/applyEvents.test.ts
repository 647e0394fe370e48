import { describe, expect, it } from 'vitest'
import industriaBoard from '../fixtures/board-industria.json'
import industryBoard from '../fixtures/board-industry.json'
import industria from '../fixtures/game-industria-3.json'
import industry from '../fixtures/game-industry-4.json'
import { emptyView, grown, viewAfter } from './applyEvents'
import type { BoardInfo, Entry, GameView } from './protocol'

const GAMES = [
  ['Industry, four players', industryBoard, industry],
  ['Industria, three players', industriaBoard, industria],
] as const

describe.each(GAMES)('%s: playing back', (_, boardFile, game) => {
  const board = boardFile as unknown as BoardInfo
  const entries = game.entries as unknown as Entry[]
  const views = game.views as unknown as Record<string, GameView>

  it('shows what the server shows, all along the game', () => {
    let view = emptyView(board, game.table.seats.length)
    entries.forEach((entry, index) => {
      view = grown(view, entry, entries.slice(index + 1), board)
      const told = views[String(view.moves)]
      if (told && !(index === 0 && told.moves)) {
        const notPlayedBack = { score: view.score, winners: view.winners, hands: view.hands }
        expect(view, `after ${view.moves} moves`).toMatchObject({ ...told, ...notPlayedBack })
      }
    })
    expect(view.phase).toBe('over')
    expect(Object.keys(views).length).toBeGreaterThan(10)
  })

  it('begins anywhere as if all before had been shown', () => {
    let view = emptyView(board, game.table.seats.length)
    entries.forEach((entry, index) => {
      view = grown(view, entry, entries.slice(index + 1), board)
      if (index % 25 === 0) expect(viewAfter(index + 1, entries, game.table.seats.length, board)).toEqual(view)
    })
  })

  it('leaves no trace of what was taken back', () => {
    const [until, players] = [40, game.table.seats.length]
    const before = viewAfter(until, entries, players, board)
    const undone = { ...entries[until]!, kind: 'undone', line: null, moves: until - 1, events: [] } as unknown as Entry
    const log = [...entries.slice(0, until + 1), undone, ...entries.slice(until)]
    expect(entries[until]!.events).not.toEqual([])
    expect(viewAfter(until + 2, log, players, board)).toEqual(before)
  })
})
