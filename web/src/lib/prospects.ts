// What a field may become worth, in sentences: its market, its networks, its links.
import { capital, listing, nameIn, say, word } from './i18n.svelte'
import type { Demand, FieldInfo, Neighbour, NetworkProspects } from './protocol'
import type { FieldReport } from './worth.svelte'

interface Names {
  seat: (seat: number) => string
  field: (id: string) => string
}

/** One sentence for each thing that can make the field more valuable, the most important first. */
export function prospectLines(field: FieldInfo, report: FieldReport, seats: readonly number[], names: Names): string[] {
  const { demand, networks, neighbours } = report.prospects
  const lines: string[] = []
  if (field.joker && report.worth[0]?.points) lines.push(say('web.prospects.joker', { count: report.worth[0].points }))
  for (const network of networks)
    lines.push(field.bonus ? bonusLine(field.bonus.points, network, seats) : networkLine(network, names))
  if (demand) lines.push(demandLine(demand, names))
  if (neighbours.length) lines.push(linkLine(neighbours, names))
  return lines.filter(Boolean)
}

/** How many factories the bonus could count: those of the own seat (else of the best) and all to come. */
function bonusLine(points: number, one: NetworkProspects, seats: readonly number[]): string {
  const owned = seats.length ? seats.map((seat) => one.factories[seat - 1]!) : one.factories
  const most = Math.max(...owned) + one.factories_to_come
  return say('web.prospects.bonus', {
    network: capital(word('network', one.network)),
    points: say('points', { count: points }),
    count: most,
  })
}

/** Who already has bonus fields on the network of a factory, and how many will come. */
function networkLine(one: NetworkProspects, names: Names): string {
  const paid = one.bonuses.flatMap((points, index) =>
    points ? [say('web.prospects.paid', { name: names.seat(index + 1), count: points })] : [],
  )
  const network = capital(word('network', one.network))
  const coming = one.bonuses_to_come ? say('web.prospects.bonuses_to_come', { count: one.bonuses_to_come }) : ''
  const parts = [...paid, coming].filter(Boolean)
  return parts.length ? say('web.prospects.network', { network, parts: parts.join(', ') }) : ''
}

function demandLine(demand: Demand, names: Names): string {
  const resource = capital(word('resource', demand.resource))
  if (!demand.fields) return say('web.prospects.no_demand', { resource })
  const line = say('web.prospects.demand', { resource, count: demand.fields, to_come: demand.to_come })
  const wanting = demand.seats.map(names.seat)
  return wanting.length ? say('web.prospects.wanted', { demand: line, names: listing(wanting) }) : line
}

function linkLine(neighbours: readonly Neighbour[], names: Names): string {
  const ends = neighbours.map(({ field, owner }) => {
    const name = names.field(field)
    return owner ? say('web.prospects.owned', { field: name, name: names.seat(owner) }) : name
  })
  return say('web.prospects.links', { fields: ends.join(', ') })
}

/** The name of a field as the language has it. */
export const fieldNames = (fieldOf: (id: string) => FieldInfo) => (id: string) => nameIn(fieldOf(id).name)
