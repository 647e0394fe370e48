// What is being looked at on the board: a field with everything that belongs to it.
import type { Geometry, Way } from './geometry'
import type { BoardInfo } from './protocol'

export interface Belonging {
  fields: Set<string>
  ways: Set<Way>
}

/** The networks and links of a field with all their fields; of a resource, who makes and needs it. */
export function belonging(id: string, board: BoardInfo, geometry: Geometry): Belonging {
  const field = board.fields.find((info) => info.id === id)!
  const networks = new Set([...field.networks, ...(field.bonus ? [field.bonus.network] : [])])
  const ways = geometry.ways.filter((way) => (way.isNetwork ? networks.has(way.name) : way.ends.includes(id)))
  const fields = new Set([id, ...ways.flatMap((way) => way.ends)])
  const product = field.makes ?? field.joker
  if (product) for (const other of board.fields) if (other.needs.includes(product) || (field.joker && other.makes === product)) fields.add(other.id)
  return { fields, ways: new Set(ways) }
}

/** Fields that an auction, a round or a seat is about, without any way. */
export function only(fields: Iterable<string>): Belonging {
  return { fields: new Set(fields), ways: new Set() }
}

const HOVER_PAUSE = 280

export class Looking {
  /** The field whose card is open. */
  field: string | null = $state(null)
  /** Stays open until it is closed. */
  isPinned = $state(false)
  /** Fields that the log or a chart points at. */
  pointed: string[] | null = $state.raw(null)
  private timer = 0

  /** Hovering opens after a moment; leaving closes unless it is pinned. */
  hover(field: string | null): void {
    clearTimeout(this.timer)
    if (this.isPinned) return
    if (field) this.timer = window.setTimeout(() => (this.field = field), HOVER_PAUSE)
    else this.field = null
  }

  pin(field: string): void {
    clearTimeout(this.timer)
    const isSame = this.isPinned && this.field === field
    this.isPinned = !isSame
    this.field = isSame ? null : field
  }

  close(): void {
    clearTimeout(this.timer)
    this.isPinned = false
    this.field = null
    this.pointed = null
  }
}
