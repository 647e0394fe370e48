// A view after a step of the log: the server says what changed, here it is put in its place.
import type { GameView, Step, TableView } from './protocol'

/** What a step changed; see `Step` of the protocol. */
interface Changed extends Partial<Omit<TableView, 'game'>> {
  game?: ChangedGame
}
type ChangedGame = Partial<Omit<GameView, 'fields'>> & { fields?: Record<string, GameView['fields'][string] | null> }

/** The table after a step; `view` is the table before it. */
export function applied(view: TableView, step: Step): TableView {
  const { game, ...rest } = step.changed as Changed
  return { ...view, ...rest, version: step.entry.version, game: game ? gameAfter(view.game, game) : view.game }
}

function gameAfter(view: GameView | null, changed: ChangedGame): GameView {
  if (!view) return changed as GameView
  const { fields, market, ...rest } = changed
  const next = { ...view, ...rest }
  if (fields) {
    const known = Object.entries({ ...view.fields, ...fields }).filter(([, field]) => field)
    next.fields = Object.fromEntries(known) as GameView['fields']
  }
  if (market) next.market = { ...view.market, ...market }
  return next
}
