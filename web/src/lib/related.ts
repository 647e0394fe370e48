// What belongs together on the board: fields, with the networks and links between them.
import type { Geometry, Way } from './geometry'
import type { BoardInfo } from './protocol'

export interface Related {
  fields: Set<string>
  ways: Set<Way>
}

/** Returns the networks and links of a field with all their fields and, if it makes something, who needs that. */
export function relatedTo(id: string, board: BoardInfo, geometry: Geometry): Related {
  const field = board.fields.find((info) => info.id === id)!
  const networks = new Set([...field.networks, ...(field.bonus ? [field.bonus.network] : [])])
  const ways = geometry.ways.filter((way) => (way.isNetwork ? networks.has(way.name) : way.ends.includes(id)))
  const fields = new Set([id, ...ways.flatMap((way) => way.ends)])
  const product = field.makes ?? field.joker
  if (product)
    for (const other of board.fields)
      if (other.needs.includes(product) || (field.joker && other.makes === product)) fields.add(other.id)
  return { fields, ways: new Set(ways) }
}

/** Returns the fields of an auction, a round or a seat, without any network or link. */
export function only(fields: Iterable<string>): Related {
  return { fields: new Set(fields), ways: new Set() }
}
