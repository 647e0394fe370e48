// Every position of a game, as the server has replayed it.
import { recordOf, replayRecord } from './api'
import type { GameView, Replayed } from './protocol'

/** All positions of a replayed game, from before the first move to the last. */
export function positionsOf(game: Replayed): GameView[] {
  const views = [game.first]
  for (const step of game.steps.slice(1)) views.push({ ...views.at(-1)!, ...(step.changed as Partial<GameView>) })
  return views
}

/** All positions of a table's game so far. */
export async function positionsAt(table: string): Promise<GameView[]> {
  return positionsOf(await replayRecord({ record: await recordOf(table), language: 'en' }))
}
