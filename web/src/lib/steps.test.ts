import { describe, expect, it } from 'vitest'
import { stepsOf, viewsOf } from '../fixtures/fixtureSteps'
import industria from '../fixtures/game-industria-3.json'
import industry from '../fixtures/game-industry-4.json'
import { History } from './history.svelte'
import type { GameView, Step, TableView } from './protocol'

const GAMES = [
  ['Industry, four players', industry],
  ['Industria, three players', industria],
] as const

describe.each(GAMES)('%s: the views that are kept', (_, game) => {
  const steps = stepsOf(game)
  const entries = steps.map((step) => step.entry)
  const told = game.views as unknown as Record<string, GameView>
  const table = game.table as unknown as TableView
  const views = viewsOf(game)
  const last = { ...table, version: entries.at(-1)!.version, game: views.at(-1)! }

  it('are those that the server shows, all along the game', () => {
    expect(Object.keys(told).length).toBeGreaterThan(10)
    for (const [moves, view] of Object.entries(told)) expect(views[Number(moves)]).toEqual(view)
  })

  it('are there for every entry that was seen', () => {
    const history = new History()
    history.replace({ ...table, version: entries[0]!.version, game: views[0]! }, entries.slice(0, 1))
    history.grow(steps.slice(1))
    for (const count of [1, 40, 41, entries.length]) expect(history.gameAfter(count)).toEqual(views[count - 1])
  })

  it('are asked for where this screen came late, in parts', async () => {
    const history = new History()
    history.replace(last, entries)
    expect(history.gameAfter(30)).toBeNull()
    const asked: number[] = []
    await history.recall(100, async (after) => {
      asked.push(after)
      return steps.filter((step) => step.entry.version > after).slice(0, 70)
    })
    expect(asked).toEqual([0, entries[69]!.version])
    for (const count of [1, 30, 100]) expect(history.gameAfter(count)).toEqual(views[count - 1])
    await history.recall(50, () => Promise.reject(new Error('it is known already')))
  })

  it('lose a field that was won by a move that is taken back', () => {
    const at = views.findIndex((view) => Object.keys(view.fields).length === 3)
    const field = Object.keys(views[at]!.fields).find((id) => !views[at - 1]!.fields[id])!
    const version = entries[at]!.version + 1
    const undone: Step = {
      entry: { ...entries[at]!, version, kind: 'undone', events: [] },
      changed: { version, game: { moves: at - 1, fields: { [field]: null } } },
    }
    const history = new History()
    history.replace({ ...table, version: version - 1, game: views[at]! }, entries.slice(0, at + 1))
    history.grow([undone])
    expect(history.view.game!.fields).toEqual(views[at - 1]!.fields)
    expect(history.gameAfter(at + 1)!.fields).toHaveProperty(field)
  })
})
