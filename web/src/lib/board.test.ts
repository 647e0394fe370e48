import { describe, expect, it } from 'vitest'
import industria from '../fixtures/board-industria.json'
import industry from '../fixtures/board-industry.json'
import { breaks, fitted, softened } from './textFit'
import { CARD, cardAt, geometryOf } from './geometry'
import { relatedTo } from './related'
import { placeFor } from './cardPlacement'
import type { BoardInfo } from './protocol'

const BOARDS = [industry, industria] as unknown as BoardInfo[]

describe.each(BOARDS.map((board) => [board.id, board] as const))('the board %s', (_, board) => {
  const geometry = geometryOf(board)

  it('has sixty cards that do not touch each other', () => {
    const boxes = board.fields.map((field) => cardAt(geometry, field.id))
    expect(boxes).toHaveLength(60)
    for (const [index, one] of boxes.entries()) {
      for (const other of boxes.slice(index + 1)) {
        const apart = Math.abs(one.x - other.x) >= CARD.width || Math.abs(one.y - other.y) >= CARD.height
        expect(apart).toBe(true)
      }
    }
  })

  it('draws every network and link within the picture', () => {
    const points = geometry.ways.flatMap((way) => [...way.lines, ...way.stubs].flat())
    expect(points.length).toBeGreaterThan(100)
    for (const [x, y] of points) {
      expect(x).toBeGreaterThanOrEqual(0)
      expect(x).toBeLessThanOrEqual(geometry.right)
      expect(y).toBeGreaterThanOrEqual(0)
      expect(y).toBeLessThanOrEqual(geometry.height)
    }
  })

  it('leads each network to the edge of each of its fields', () => {
    for (const way of geometry.ways.filter((one) => one.isNetwork)) {
      for (const end of way.ends) {
        const card = cardAt(geometry, end)
        const touches = way.stubs.some((stub) => {
          const [x, y] = stub.at(-1)!
          const onEdge = Math.min(Math.abs(y - card.y), Math.abs(y - card.y - CARD.height)) < 0.01
          return onEdge && x > card.x && x < card.x + CARD.width
        })
        expect(touches, `${way.name} at ${end}`).toBe(true)
      }
    }
  })

  it('leads each link from one of its fields to the other', () => {
    const links = geometry.ways.filter((way) => !way.isNetwork)
    expect(links.map((way) => way.ends)).toEqual(expect.arrayContaining(board.links))
    for (const way of links) {
      const ends = [way.lines[0]![0]!, way.lines[0]!.at(-1)!]
      for (const field of way.ends) {
        const card = cardAt(geometry, field)
        const near = ends.some(
          ([x, y]) =>
            x > card.x - 0.1 && x < card.x + CARD.width + 0.1 && y > card.y - 0.1 && y < card.y + CARD.height + 0.1,
        )
        expect(near, `${way.ends.join('–')} at ${field}`).toBe(true)
      }
    }
  })

  it('shows the card of a field inside the frame and never over the field itself', () => {
    const frame = { width: 1040, height: 740 }
    const size = { width: 310, height: 330 }
    const scale = Math.min(frame.width / geometry.width, frame.height / geometry.height)
    for (const field of board.fields) {
      const { left, top } = placeFor(size, frame, geometry, field.id, relatedTo(field.id, board, geometry).fields)
      expect(left).toBeGreaterThanOrEqual(0)
      expect(top).toBeGreaterThanOrEqual(0)
      expect(left + size.width).toBeLessThanOrEqual(frame.width)
      expect(top + size.height).toBeLessThanOrEqual(frame.height)
      const own = cardAt(geometry, field.id)
      const x = (frame.width - geometry.width * scale) / 2 + own.x * scale
      const isBeside = left >= x + CARD.width * scale || left + size.width <= x
      const y = (frame.height - geometry.height * scale) / 2 + own.y * scale
      const isAbove = top >= y + CARD.height * scale || top + size.height <= y
      expect(isBeside || isAbove, field.id).toBe(true)
    }
  })
})

describe('names on cards', () => {
  it('part long words between syllables', () => {
    expect(breaks('Baumwollspinnerei')).toContain(8)
    expect(breaks('Elektrizitätswerk')).toContain(9)
  })

  it('offer the browser places to part long words, and leave short ones alone', () => {
    expect(softened('Usine pharmaceutique')).toMatch(/^Usine [^ ]+\u00AD/)
    expect(softened('Usine pharmaceutique').replaceAll('\u00AD', '')).toBe('Usine pharmaceutique')
    expect(softened('Steam power')).toBe('Steam power')
  })

  it('take at most three lines, are never set smaller than the rest of the board, and lose no letter', () => {
    for (const board of BOARDS) {
      for (const field of board.fields) {
        for (const name of Object.values(field.name)) {
          const { lines, size } = fitted(name, CARD.width - 6)
          expect(lines.length, name).toBeLessThanOrEqual(3)
          expect(size, name).toBeGreaterThanOrEqual(11)
          expect(lines.join('').replace(/[- ]/g, ''), name).toBe(name.replace(/[- ]/g, ''))
          expect(lines.join(' '), 'a word with a hyphen is parted there').not.toContain('--')
        }
      }
    }
  })
})
