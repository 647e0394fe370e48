// The end of a game as it is shown: who won and why, where points came from, how they grew.
import { listing, say } from './i18n.svelte'
import type { Geometry, Way } from './geometry'
import type { BoardInfo, Entry, GameView, Parts } from './protocol'

export const SCORE_PARTS = ['development', 'links', 'bonuses', 'money', 'jokers', 'subsidy'] as const
export type Part = (typeof SCORE_PARTS)[number]

function developed(game: GameView, seat: number): string[] {
  return Object.entries(game.fields).flatMap(([id, field]) =>
    field.owner === seat && field.status === 'developed' ? [id] : [],
  )
}

/** Who wins, and by what where points are equal. */
export function verdict(game: GameView, nameOf: (seat: number) => string): string {
  const most = Math.max(...game.score.map((parts) => parts.points))
  const points = say('points', { count: most })
  const tied = game.score.flatMap((parts, index) => (parts.points === most ? [index + 1] : []))
  const winner = nameOf(game.winners[0] ?? tied[0]!)
  if (tied.length === 1) return say('report.wins', { winner, points })
  const names = listing(tied.map(nameOf))
  if (game.winners.length > 1) return say('report.shared', { winners: listing(game.winners.map(nameOf)), points })
  const fields = tied.map((seat) => developed(game, seat).length)
  const isByFields = fields.filter((count) => count === Math.max(...fields)).length === 1
  return say(isByFields ? 'report.wins_fields' : 'report.wins_talers', { tied: names, points, winner })
}

/** By how much, or what would have decided. */
export function margin(game: GameView, nameOf: (seat: number) => string): string {
  const ranked = game.score
    .map((parts, index) => ({ seat: index + 1, points: parts.points }))
    .sort((one, other) => other.points - one.points)
  const [first, second] = ranked
  if (!first || !second || first.points === second.points) return ''
  return say('web.end.ahead', { count: first.points - second.points, name: nameOf(second.seat) })
}

/** Whether the most points are shared, so that a tie-break decided. */
export function isTied(game: GameView): boolean {
  const most = Math.max(...game.score.map((parts) => parts.points))
  return game.score.filter((parts) => parts.points === most).length > 1
}

/** Where a seat that did not win came in, and how far behind the winner; empty for winners and ties. */
export function behind(game: GameView, seat: number, nameOf: (seat: number) => string): string {
  const own = game.score[seat - 1]
  const winner = game.winners[0]
  if (!own || winner === undefined || game.winners.includes(seat)) return ''
  const count = game.score[winner - 1]!.points - own.points
  if (count === 0) return ''
  const place = 1 + game.score.filter((parts) => parts.points > own.points).length
  return say('web.end.behind', { place, players: game.score.length, count, name: nameOf(winner) })
}

export interface Shown {
  fields: Set<string>
  ways: Set<Way>
  paying: Set<Way>
}

/** The links whose ends are both developed by the seat. */
function linksOf(game: GameView, seat: number, geometry: Geometry): Way[] {
  const own = new Set(developed(game, seat))
  return geometry.ways.filter((way) => !way.isNetwork && way.ends.every((end) => own.has(end)))
}

/** What a part of a seat's points rests on. */
export function restsOn(game: GameView, board: BoardInfo, geometry: Geometry, seat: number, part: Part | null): Shown {
  const own = new Set(developed(game, seat))
  const info = board.fields.filter((field) => own.has(field.id))
  const bonuses = info.flatMap((field) => (field.bonus ? [field.bonus.network] : []))
  const links = linksOf(game, seat, geometry)
  const found: Shown = { fields: new Set(), ways: new Set(), paying: new Set() }
  const add = (ids: Iterable<string>): void => {
    for (const id of ids) found.fields.add(id)
  }
  if (part === null || part === 'development') add(info.filter((field) => field.points).map((field) => field.id))
  if (part === null || part === 'links') {
    for (const way of links) {
      add(way.ends)
      found.ways.add(way)
      found.paying.add(way)
    }
  }
  if (part === null || part === 'bonuses') {
    add(
      info
        .filter((field) => field.bonus || field.networks.some((network) => bonuses.includes(network)))
        .map((field) => field.id),
    )
    for (const way of geometry.ways) if (way.isNetwork && bonuses.includes(way.name)) found.ways.add(way)
  }
  if (part === null || part === 'jokers') {
    add(
      Object.entries(game.fields).flatMap(([id, field]) =>
        field.owner === seat && field.status === 'held' ? [id] : [],
      ),
    )
  }
  if (part === null) add(own)
  return found
}

export interface Curve {
  /** The era of each round, from the first. */
  eras: number[]
  /** By seat: points from developing after each round; the last value is the final count. */
  points: number[][]
  /** By seat: the total if the game had ended after each round; null where it is not known. */
  totals: number[][] | null
}

/** How totals and development points grew, from every position of the game. */
export function curveOfPositions(positions: readonly GameView[]): Curve {
  const last = positions.at(-1)!
  const ends = positions.filter((view, index) => view.round > 0 && positions[index + 1]?.round !== view.round)
  const grown = (of: (view: GameView, seat: number) => number): number[][] =>
    last.score.map((final, seat) => [0, ...ends.map((view) => of(view, seat)), final.points])
  const start = last.score.map((_, seat) => positions[0]!.score[seat]?.points ?? 0)
  const totals = grown((view, seat) => view.score[seat]!.points)
  totals.forEach((line, seat) => (line[0] = start[seat]!))
  return { eras: ends.map((view) => view.era), points: grown((view, seat) => view.points[seat]!), totals }
}

/** The parts of the final scoring in the order in which they are counted, without those that nobody has. */
export function countedParts(game: GameView): Part[] {
  return SCORE_PARTS.filter((part) => game.score.some((parts) => parts[part] !== 0))
}

/** Everybody's points after the first parts are counted. */
export function countedTo(game: GameView, count: number): Parts[] {
  const counted = countedParts(game).slice(0, count)
  return game.score.map((parts) => ({ ...parts, points: counted.reduce((sum, part) => sum + parts[part], 0) }))
}

/** What a part rests on for all seats together. */
export function allRestOn(game: GameView, board: BoardInfo, geometry: Geometry, part: Part): Shown {
  const all: Shown = { fields: new Set(), ways: new Set(), paying: new Set() }
  game.score.forEach((_, index) => {
    const own = restsOn(game, board, geometry, index + 1, part)
    for (const id of own.fields) all.fields.add(id)
    for (const way of own.ways) all.ways.add(way)
    for (const way of own.paying) all.paying.add(way)
  })
  return all
}

/** How development points grew, round by round, and the final count; from the log alone, which has no totals. */
export function curveOf(entries: readonly Entry[], game: GameView): Curve {
  const seats = game.talers.length
  const eras: number[] = []
  const points: number[][] = Array.from({ length: seats }, () => [0])
  const now = Array.from({ length: seats }, () => 0)
  const close = (): void => now.forEach((value, seat) => points[seat]!.push(value))
  for (const event of entries.flatMap((entry) => entry.events)) {
    if (event.type === 'round_started') {
      if (eras.length) close()
      eras.push(event.era)
    } else if (event.type === 'field_developed') now[event.seat - 1]! += event.points
  }
  close()
  game.score.forEach((parts, seat) => points[seat]!.push(parts.points))
  return { eras, points, totals: null }
}
