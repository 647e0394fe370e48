// What networks and links look like along their lines, as paths: told apart without colour too.
import type { Line, Point } from './geometry'

function at(value: number): string {
  return String(Math.round(value * 10) / 10)
}

function spot([x, y]: Point): string {
  return `${at(x)} ${at(y)}`
}

export function straight(lines: readonly Line[]): string {
  return lines.map((line) => `M${line.map(spot).join('L')}`).join('')
}

function towards(start: Point, end: Point, distance: number): Point {
  const length = Math.hypot(end[0] - start[0], end[1] - start[1])
  const share = length ? Math.min(distance, length / 2) / length : 0
  return [start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share]
}

/** A path through the points with round corners. */
export function rounded(line: Line, radius = 5): string {
  let path = `M${spot(line[0]!)}`
  for (let index = 1; index < line.length - 1; index++) {
    const corner = line[index]!
    path += `L${spot(towards(corner, line[index - 1]!, radius))}`
    path += `Q${spot(corner)} ${spot(towards(corner, line[index + 1]!, radius))}`
  }
  return `${path}L${spot(line.at(-1)!)}`
}

/** Water: even waves from end to end. */
export function wave(lines: readonly Line[], swell = 1.9, length = 11): string {
  return lines
    .map(([start, end]) => {
      if (!start || !end) return ''
      const [dx, dy] = [end[0] - start[0], end[1] - start[1]]
      const whole = Math.hypot(dx, dy)
      if (!whole) return ''
      const count = 2 * Math.max(1, Math.round(whole / length / 2))
      const [sx, sy] = [dx / count, dy / count]
      const [ax, ay] = [(-dy / whole) * swell * 2, (dx / whole) * swell * 2]
      let path = `M${spot(start)}`
      for (let step = 0; step < count; step++) {
        const side = step % 2 ? -1 : 1
        path += `q${at(sx / 2 + ax * side)} ${at(sy / 2 + ay * side)} ${at(sx)} ${at(sy)}`
      }
      return path
    })
    .join('')
}

const SPAN = 32

/** Two wires that sag between pylons; straight where they climb. */
export function wires(lines: readonly Line[]): string {
  return lines
    .map(([start, end]) => {
      if (!start || !end) return ''
      const width = end[0] - start[0]
      if (Math.abs(width) < 20) {
        const beside = (by: number): Line => [start, end].map(([x, y]): Point => [x + by, y])
        return straight([beside(-1.5), beside(1.5)])
      }
      const spans = Math.max(1, Math.round(Math.abs(width) / SPAN))
      const step = at(width / spans)
      return [-2.6, 0.4]
        .map(
          (height) =>
            `M${at(start[0])} ${at(start[1] + height)}${`q${at(width / spans / 2)} 4.2 ${step} 0`.repeat(spans)}`,
        )
        .join('')
    })
    .join('')
}

export function pylons(lines: readonly Line[]): string {
  return lines
    .map(([start, end]) => {
      if (!start || !end || Math.abs(end[0] - start[0]) < 20) return ''
      const spans = Math.max(1, Math.round(Math.abs(end[0] - start[0]) / SPAN))
      let path = ''
      for (let span = 0; span <= spans; span++) {
        const x = start[0] + ((end[0] - start[0]) * span) / spans
        const y = start[1]
        path += `M${at(x - 2.1)} ${at(y + 4.2)}L${at(x)} ${at(y - 4.6)}L${at(x + 2.1)} ${at(y + 4.2)}`
        path += `M${at(x - 3)} ${at(y - 2.6)}h6M${at(x - 2.4)} ${at(y + 0.4)}h4.8`
      }
      return path
    })
    .join('')
}

/** A link between neighbours reaches a little into both cards, so that it is seen to join them. */
export function reaching(line: Line, by: number): Line {
  const [start, end] = [line[0]!, line.at(-1)!]
  const side = Math.sign(end[0] - start[0])
  return [
    [start[0] - by * side, start[1]],
    [end[0] + by * side, end[1]],
  ]
}
