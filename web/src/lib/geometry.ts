// Where everything lies. The ways across the board are planned by the server; here its coordinates
// are only stretched to this client's format of cards, gutter by gutter and gap by gap.
import type { BoardInfo, LayoutInfo } from './protocol'

export type Point = readonly [number, number]
export type Line = readonly Point[]

export interface Way {
  name: string
  /** The fields that it joins. */
  ends: string[]
  isNetwork: boolean
  /** Joins two neighbours directly. */
  isBridge: boolean
  lines: Line[]
  /** From a lane to the edge of a card, where the badge is. */
  stubs: Line[]
  badges: Point[]
}

export interface Geometry {
  width: number
  height: number
  /** Left edges of the columns and upper edges of the rows. */
  x: number[]
  y: number[]
  /** From where to where the stratum of each era reaches. */
  bands: { top: number; bottom: number }[]
  /** Left and right edge of the strata. */
  left: number
  right: number
  ways: Way[]
}

export const CARD = { width: 68, height: 98, radius: 5 }
export const ERA_WIDTH = 72
export const SCORE_WIDTH = 44
export const TOKENS_HEIGHT = 50
export const LEGEND_HEIGHT = 25
const MARGIN = 4
const LEAST_GAP = 6.6
const LANE = 0.58
/** The middle of a badge lies so far outside its card that it hides nothing of it. */
const BADGE_OFF = 5.2
/** What of a gap carries no line, and how far the rest shrinks. */
const BARE_GAP = 12
const TRUNK = 0.72

/** A number line that is stretched piece by piece between pairs of known places. */
function stretched(from: readonly number[], to: readonly number[], outside: number): (value: number) => number {
  return (value) => {
    const last = from.length - 1
    if (value <= from[0]!) return to[0]! - (from[0]! - value) * outside
    if (value >= from[last]!) return to[last]! + (value - from[last]!) * outside
    const piece = from.findIndex((start, index) => value >= start && value <= from[index + 1]!)
    const [start, end] = [from[piece]!, from[piece + 1]!]
    const share = end === start ? 0 : (value - start) / (end - start)
    return to[piece]! + share * (to[piece + 1]! - to[piece]!)
  }
}

/** Edges of cards along one direction, from the first to the last. */
function edges(starts: readonly number[], size: number): number[] {
  return starts.flatMap((start) => [start, start + size])
}

/** New starts, with cards of another size and shrunken spaces between them. Each card is a picture of its
    own: at whole numbers all of them are equally sharp. */
function placed(
  starts: readonly number[],
  old: number,
  size: number,
  first: number,
  space: (old: number) => number,
): number[] {
  const found = [Math.round(first)]
  for (let index = 1; index < starts.length; index++) {
    const between = starts[index]! - (starts[index - 1]! + old)
    found.push(Math.round(found[index - 1]! + size + space(between)))
  }
  return found
}

function outermost(layout: LayoutInfo, axis: 0 | 1, pick: (...values: number[]) => number): number {
  return pick(...layout.ways.flatMap((way) => way.lines.flat().map((point) => point[axis])))
}

const known = new WeakMap<BoardInfo, Geometry>()

/** Computed once per board, so that everyone speaks of the same ways. */
export function geometryOf(board: BoardInfo): Geometry {
  const before = known.get(board)
  if (before) return before
  const found = computed(board)
  known.set(board, found)
  return found
}

function computed(board: BoardInfo): Geometry {
  const layout = board.layout
  const gap = (old: number): number => Math.max(LEAST_GAP, (old - BARE_GAP) * TRUNK)
  const leftRoom = Math.max(0, layout.card_x[0]! - outermost(layout, 0, Math.min)) * LANE
  const topRoom = Math.max(0, layout.card_y[0]! - outermost(layout, 1, Math.min)) * LANE
  const x = placed(layout.card_x, layout.card_width, CARD.width, MARGIN + ERA_WIDTH + 7 + leftRoom, gap)
  const y = placed(layout.card_y, layout.card_height, CARD.height, TOKENS_HEIGHT + 8 + topRoom, (old) => old * LANE)
  const toX = stretched(edges(layout.card_x, layout.card_width), edges(x, CARD.width), LANE)
  const toY = stretched(edges(layout.card_y, layout.card_height), edges(y, CARD.height), LANE)
  const ways = layout.ways.map((way) => placedWay(way, layout, toX, toY))
  const right = Math.max(x.at(-1)! + CARD.width, toX(outermost(layout, 0, Math.max))) + 6
  const bottom = Math.max(y.at(-1)! + CARD.height, toY(outermost(layout, 1, Math.max)))
  const bands = y.map((top, row) => ({
    top: row === 0 ? TOKENS_HEIGHT : (y[row - 1]! + CARD.height + top) / 2,
    bottom: row === y.length - 1 ? bottom + 7 : (top + CARD.height + y[row + 1]!) / 2,
  }))
  return {
    width: right + SCORE_WIDTH + MARGIN,
    height: bands.at(-1)!.bottom + LEGEND_HEIGHT,
    x,
    y,
    bands,
    left: MARGIN,
    right,
    ways,
  }
}

function placedWay(
  way: LayoutInfo['ways'][number],
  layout: LayoutInfo,
  toX: (x: number) => number,
  toY: (y: number) => number,
): Way {
  const all = way.lines.map((line) => line.map(([x, y]): Point => [toX(x), toY(y)]))
  const isNetwork = way.name !== 'road' && way.name !== 'line'
  const count = way.badges.length
  const stubs = all.slice(all.length - count)
  const first = way.lines[0]!
  const level = first.length === 2 && first[0]![1] === first[1]![1]
  const inRow = layout.card_y.some((top) => first[0]![1] > top && first[0]![1] < top + layout.card_height)
  return {
    name: way.name,
    ends: way.ends,
    isNetwork,
    isBridge: !isNetwork && level && inRow,
    lines: all.slice(0, all.length - count),
    stubs,
    badges: stubs.map(([lane, edge]): Point => [edge![0], edge![1] + BADGE_OFF * Math.sign(lane![1] - edge![1])]),
  }
}

/** Row and column of a field, both from 0. */
export function spotOf(field: string): { row: number; column: number } {
  return { row: Number(field[0]) - 1, column: field.charCodeAt(1) - 65 }
}

export function cardAt(geometry: Geometry, field: string): { x: number; y: number } {
  const { row, column } = spotOf(field)
  return { x: geometry.x[column]!, y: geometry.y[row]! }
}
