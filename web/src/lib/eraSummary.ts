// What the end of an era changed: technologies that lapsed, factories too late to score, new goods of the bank.
import type { BoardInfo, Entry, GameView } from './protocol'

export interface OwnedBy {
  field: string
  seat: number
}

export interface EraSummary {
  /** The era that begins. */
  era: number
  lapsed: OwnedBy[]
  /** Factories of the era before that are not developed: they no longer score their points. */
  late: OwnedBy[]
  /** Resources that the bank sells from this era on, where nobody makes them. */
  bank: string[]
  /** Resources that the bank would sell now, but players make them. */
  makers: { resource: string; seats: number[] }[]
}

/** What changed when the current era began; null in the first era. */
export function eraSummary(entries: readonly Entry[], game: GameView, board: BoardInfo): EraSummary | null {
  const last = entries.findLast((entry) => entry.events.some((event) => event.type === 'era_changed'))
  if (!last) return null
  const lapsed = last.events.flatMap((event) =>
    event.type === 'technology_lapsed' ? [{ field: event.field, seat: event.seat }] : [],
  )
  const late = board.fields.flatMap((field) => {
    const owned = game.fields[field.id]
    const isLate = field.kind === 'factory' && field.points > 0 && Number(field.id[0]) === game.era - 1
    return isLate && owned?.status === 'undeveloped' && owned.owner ? [{ field: field.id, seat: owned.owner }] : []
  })
  const fresh = Object.entries(game.market).filter(([, market]) => market.bank_era === game.era)
  return {
    era: game.era,
    lapsed,
    late,
    bank: fresh.filter(([, market]) => market.bank).map(([resource]) => resource),
    makers: fresh.flatMap(([resource, { makers }]) => (makers.length ? [{ resource, seats: makers }] : [])),
  }
}
