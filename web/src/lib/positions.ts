// Every position of a game, as the server has replayed it.
import { recordOf, replayRecord } from './api'
import type { GameView, Replayed, TableView } from './protocol'
import { applied } from './steps'

/** All positions of a replayed game, from before the first move to the last. */
export function positionsOf(game: Replayed): GameView[] {
  let view = { game: game.first } as TableView
  return game.steps.map((step) => (view = applied(view, step)).game!)
}

/** All positions of a table's game so far. */
export async function positionsAt(table: string): Promise<GameView[]> {
  return positionsOf(await replayRecord({ record: await recordOf(table), language: 'en' }))
}
