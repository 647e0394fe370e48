// What the end of an era means for the fields of the moment.
import type { FieldInfo, GameView } from './protocol'

/** No token is left in the bag: after this round the era ends. */
export function isLastRound(game: GameView): boolean {
  return game.phase !== 'over' && Object.values(game.tokens).every((place) => place !== 'bag')
}

/** A technology that lapses after this round unless its owner develops it. */
export function isLapsing(field: FieldInfo, game: GameView): boolean {
  return (
    field.kind === 'technology' &&
    Number(field.id[0]) === game.era &&
    game.fields[field.id]?.status === 'undeveloped' &&
    isLastRound(game)
  )
}
