// The ways to develop a field, as the list of legal moves has them.
import { developLine, readLine } from './notation'
import type { Choice, GameView } from './protocol'

export interface Option {
  source: string
  /** Talers for this resource from this source; null until the server has told. */
  price: number | null
}

export interface Need {
  resource: string
  options: Option[]
}

export interface Plan {
  field: string
  lines: string[]
  needs: Need[]
}

/** What is paid for one resource from a source, by the events of a way that uses it. */
function priceOf(choice: Choice | null, seat: number, source: string): number | null {
  if (!choice) return null
  const target = Number(source) || null
  const count = choice.events.filter((event) => event.type === 'resource_provided' && event.source === source).length
  const paid = choice.events.reduce(
    (sum, event) =>
      sum +
      (event.type === 'talers_moved' && event.source === seat && event.target === target && event.reason === 'resource'
        ? event.amount
        : 0),
    0,
  )
  const isBought = target !== null || source === 'bank'
  return isBought && count ? paid / count : 0
}

/** Every field that can be developed now, with the sources of each of its needs. */
export function plansOf(legal: readonly string[], choiceOf: (line: string) => Choice | null): Plan[] {
  const plans = new Map<string, Plan>()
  for (const line of legal) {
    const move = readLine(line)
    if (move.verb !== 'develop') continue
    const plan = plans.get(move.field) ?? {
      field: move.field,
      lines: [],
      needs: move.sources.map(({ resource }) => ({ resource, options: [] })),
    }
    plans.set(move.field, plan)
    plan.lines.push(line)
    move.sources.forEach(({ source }, index) => {
      const { options } = plan.needs[index]!
      if (!options.some((option) => option.source === source))
        options.push({ source, price: priceOf(choiceOf(line), move.seat, source) })
    })
  }
  return [...plans.values()]
}

/** The line for the chosen sources; null where one is missing or they do not go together. */
export function chosenLine(plan: Plan, seat: number, chosen: readonly (string | undefined)[]): string | null {
  if (plan.needs.some((_, index) => !chosen[index])) return null
  const line = developLine(
    seat,
    plan.field,
    plan.needs.map(({ resource }, index) => ({ resource, source: chosen[index]! })),
  )
  return plan.lines.includes(line) ? line : null
}

/** A line to ask about where none is legal: each need from where it could be had at best. */
export function nearestLine(seat: number, field: string, needs: readonly string[], game: GameView): string {
  const sources = needs.map((resource) => {
    const makers = game.market[resource]?.makers ?? []
    const source = makers.includes(seat) ? 'own' : makers.length ? String(makers[0]) : 'bank'
    return { resource, source }
  })
  return developLine(seat, field, sources)
}
