// Where a card beside the board covers as little as possible of what it is about.
import { CARD, cardAt, type Geometry } from './geometry'

interface Box {
  left: number
  top: number
  width: number
  height: number
}

function overlap(one: Box, other: Box): number {
  const width = Math.min(one.left + one.width, other.left + other.width) - Math.max(one.left, other.left)
  const height = Math.min(one.top + one.height, other.top + other.height) - Math.max(one.top, other.top)
  return width > 0 && height > 0 ? width * height : 0
}

/** The upper left corner for a card of that size within a frame in which the board is centred. */
export function placeFor(
  size: { width: number; height: number },
  frame: { width: number; height: number },
  geometry: Geometry,
  field: string,
  lit: Iterable<string>,
): { left: number; top: number } {
  const scale = Math.min(frame.width / geometry.width, frame.height / geometry.height)
  const [dx, dy] = [(frame.width - geometry.width * scale) / 2, (frame.height - geometry.height * scale) / 2]
  const boxOf = (id: string): Box => {
    const { x, y } = cardAt(geometry, id)
    return { left: dx + x * scale, top: dy + y * scale, width: CARD.width * scale, height: CARD.height * scale }
  }
  const own = boxOf(field)
  const others = [...lit].filter((id) => id !== field).map(boxOf)
  const [right, bottom] = [frame.width - size.width - 6, frame.height - size.height - 6]
  const inside = (left: number, top: number): Box => ({
    left: Math.max(6, Math.min(right, left)),
    top: Math.max(6, Math.min(bottom, top)),
    ...size,
  })
  const beside = [own.left + own.width + 10, own.left - size.width - 10]
  const levels = [own.top, own.top + own.height - size.height, own.top + own.height + 10, own.top - size.height - 10]
  const tries = [
    ...beside.flatMap((left) => levels.map((top) => inside(left, top))),
    ...[own.left, own.left + own.width - size.width].flatMap((left) => levels.slice(2).map((top) => inside(left, top))),
    ...[6, right].flatMap((left) => [6, bottom, bottom / 2].map((top) => inside(left, top))),
  ]
  const badness = (box: Box): number => {
    const far = Math.hypot(box.left + box.width / 2 - own.left, box.top + box.height / 2 - own.top)
    return overlap(box, own) * 50 + others.reduce((sum, other) => sum + overlap(box, other), 0) + far / 10
  }
  const best = tries.reduce((one, other) => (badness(other) < badness(one) ? other : one))
  return { left: best.left, top: best.top }
}
