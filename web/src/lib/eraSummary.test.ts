import { describe, expect, it } from 'vitest'
import industriaBoard from '../fixtures/board-industria.json'
import industryBoard from '../fixtures/board-industry.json'
import industria from '../fixtures/game-industria-3.json'
import industry from '../fixtures/game-industry-4.json'
import { entriesOf, viewsOf } from '../fixtures/fixtureSteps'
import { fieldsInBag } from './bagContents'
import { eraSummary } from './eraSummary'
import type { BoardInfo } from './protocol'

const GAMES = [
  ['Industry', industryBoard, industry],
  ['Industria', industriaBoard, industria],
] as const

describe.each(GAMES)('%s: eras', (_, boardFile, game) => {
  const board = boardFile as unknown as BoardInfo
  const entries = entriesOf(game)
  const views = viewsOf(game)
  const changes = entries.flatMap((entry, index) =>
    entry.events.some((event) => event.type === 'era_changed') ? [index] : [],
  )

  it('tell nothing before the first has ended', () => {
    const first = entries.slice(0, changes[0])
    expect(eraSummary(first, views[changes[0]! - 1]!, board)).toBeNull()
  })

  it('tell who lost which technology, and what is too late or new', () => {
    expect(changes.length).toBeGreaterThan(2)
    for (const index of changes) {
      const log = entries.slice(0, index + 1)
      const view = views[index]!
      const summary = eraSummary(log, view, board)!
      expect(summary.era).toBe(view.era)
      for (const { field, seat } of summary.lapsed)
        expect(view.fields[field]).toEqual({ owner: seat, status: 'lapsed' })
      const lost = Object.entries(view.fields).filter(
        ([id, owned]) => owned.status === 'lapsed' && Number(id[0]) === view.era - 1,
      )
      expect(summary.lapsed.length).toBe(lost.length)
      for (const { field } of summary.late) expect(view.fields[field]?.status).toBe('undeveloped')
      const fresh = Object.entries(view.market).filter(([, market]) => market.bank_era === view.era)
      expect([...summary.bank, ...summary.makers.map(({ resource }) => resource)].sort()).toEqual(
        fresh.map(([resource]) => resource).sort(),
      )
    }
  })

  it('know which fields can still be drawn, and nothing about their order', () => {
    for (let count = 2; count < entries.length; count += 17) {
      const view = views[count - 1]!
      const found = fieldsInBag(view, board).map((field) => field.id)
      const drawn = entries
        .slice(0, count)
        .flatMap(({ events }) => events.flatMap((event) => (event.type === 'tokens_drawn' ? event.fields : [])))
      const all = [...'ABCDEFGHIJKL'].map((letter) => `${view.era}${letter}`)
      if (view.phase !== 'over') expect(found).toEqual(all.filter((id) => !drawn.includes(id)))
    }
  })
})
