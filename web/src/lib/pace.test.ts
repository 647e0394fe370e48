import { beforeEach, describe, expect, it, vi } from 'vitest'
import board from '../fixtures/board-industry.json'
import game from '../fixtures/game-industry-4.json'
import { entriesOf } from '../fixtures/fixtureSteps'
import { prefs } from './prefs.svelte'
import type { BoardInfo, Entry, GameView, TableView, Yours } from './protocol'
import { Table } from './table.svelte'
import type { Wire } from './wire'

const entries = entriesOf(game)
const moment = game.states.bid as unknown as { moves: number; view: GameView; legal: string[] }
const START = 40

/** A table at some moment of a real game, at which seat 1 is played here. */
function seated(options: Partial<TableView['options']> = {}): {
  table: Table
  grow: (more: Entry[], actor: number | null) => void
} {
  const table = new Table()
  table.board = board as unknown as BoardInfo
  const nothing: Partial<Wire> = {
    hurry: () => undefined,
    close: () => undefined,
  }
  table.attach(nothing as Wire)
  const base = game.table as unknown as TableView
  let version = entries[START - 1]!.version
  const view: TableView = {
    ...base,
    options: { ...base.options, ...options },
    version,
    status: 'running',
    game: { ...moment.view, actor: 3 },
  }
  const yours = (actor: number | null): Yours[] => [
    { seat: 1, legal: actor === 1 ? ['1 pass'] : [], can_undo: false, hand: [], choices: [], orders: null },
  ]
  table.replaced({ view, yours: yours(3), log: entries.slice(0, START) })
  return {
    table,
    grow: (more, actor) => {
      const steps = more.map((entry) => {
        version += 1
        return { entry: { ...entry, version }, changed: { version, game: { actor } } }
      })
      table.grown(steps, yours(actor))
    },
  }
}

const move = (seat: number, line: string, how: Entry['how'] = 'bot'): Entry => ({
  ...entries[START]!,
  version: 0,
  kind: 'move',
  seat,
  how,
  line: `${seat} ${line}`,
  events: [],
})

describe('the pace of the others', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    prefs.pace = 'steady'
  })

  it('shows a move that came alone for its pause before one has to decide', () => {
    const { table, grow } = seated()
    grow([move(3, 'bid 2')], 1)
    expect(table.happening?.line).toBe('3 bid 2')
    expect(table.deciding).toBeNull()
    vi.advanceTimersByTime(1_290)
    expect(table.deciding).toBeNull()
    vi.advanceTimersByTime(20)
    expect(table.deciding?.seat).toBe(1)
  })

  it('lets what arrives during a pause wait until it is over', () => {
    const { table, grow } = seated()
    grow([move(3, 'bid 2')], 4)
    vi.advanceTimersByTime(100)
    grow([move(4, 'pass')], 1)
    expect(table.happening?.line).toBe('3 bid 2')
    vi.advanceTimersByTime(1_210)
    expect(table.happening?.line).toBe('4 pass')
    expect(table.deciding).toBeNull()
  })

  it('shows a turn that ends by itself like a move of somebody else', () => {
    const { table, grow } = seated()
    grow([move(1, 'develop 1A', 'player'), move(1, 'done', 'automatic'), move(2, 'done')], 3)
    vi.advanceTimersByTime(260)
    expect(table.happening?.how).toBe('automatic')
    vi.advanceTimersByTime(700)
    expect(table.happening?.how).toBe('automatic')
    vi.advanceTimersByTime(100)
    expect(table.happening?.seat).toBe(2)
  })

  it('never makes somebody wait between two own decisions', () => {
    const { table, grow } = seated()
    grow([move(1, 'develop 1A', 'player')], 1)
    expect(table.deciding?.seat).toBe(1)
  })

  it('skips by one press all that comes until one has to decide', () => {
    const { table, grow } = seated()
    grow([move(3, 'bid 2')], 4)
    table.skip()
    grow([move(4, 'pass')], 2)
    expect(table.isCaughtUp).toBe(true)
    grow([move(2, 'pass')], 1)
    expect(table.deciding?.seat).toBe(1)
    grow([move(1, 'pass', 'player'), move(2, 'offer 1A')], 3)
    expect(table.isCaughtUp).toBe(false)
  })

  it('says which bot is thinking once everything before is shown', () => {
    const { table, grow } = seated()
    grow([move(2, 'bid 2')], 3)
    expect(table.thinker).toBeNull()
    vi.advanceTimersByTime(1_310)
    expect(table.thinker?.seat).toBe(3)
  })

  it('does not spend the time on a running clock', () => {
    const { table, grow } = seated({ clock: 'live' })
    grow([move(3, 'bid 2')], 1)
    vi.advanceTimersByTime(310)
    expect(table.deciding?.seat).toBe(1)
  })
})
