// What can still be drawn. Every drawn token lies on the table, so everyone knows which fields are left;
// their order is known to nobody.
import type { BoardInfo, FieldInfo, GameView } from './protocol'

/** The fields of the current era that are not drawn yet, by column. */
export function fieldsInBag(game: GameView, board: BoardInfo): FieldInfo[] {
  return board.fields.filter(
    (field) => Number(field.id[0]) === game.era && game.tokens[field.id[1]!] === 'bag' && game.phase !== 'over',
  )
}
