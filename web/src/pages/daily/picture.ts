// The picture of a result, drawn here: bars of points, and nothing about the fields of the deal.
import { botName } from '../../lib/bots'
import type { DailyResult, DailyTry } from '../../lib/daily'
import { say } from '../../lib/i18n.svelte'
import { tell } from '../lessons/words'
import { dayText, planText } from './words'

const WIDTH = 1200
const HEIGHT = 630
const EDGE = 60
/** The fonts that come with the page; tokens.css names them. */
const SLAB = '"Industry Slab", serif'
const PLAIN = '"Industry Text", sans-serif'
const COLOURS = ['#b8332f', '#1d6b5c', '#3d4fb8', '#8a6d1c']

export function drawResult(canvas: HTMLCanvasElement, one: DailyTry, result: DailyResult): void {
  canvas.width = WIDTH
  canvas.height = HEIGHT
  const pen = canvas.getContext('2d')
  if (!pen) return
  const write = (
    text: string,
    x: number,
    y: number,
    font: string,
    colour = '#17212b',
    most = WIDTH - 2 * EDGE,
  ): void => {
    pen.font = font
    pen.fillStyle = colour
    pen.fillText(text, x, y, most)
  }
  pen.fillStyle = '#fbf7ea'
  pen.fillRect(0, 0, WIDTH, HEIGHT)
  pen.fillStyle = '#17212b'
  pen.fillRect(0, 0, WIDTH, 96)
  write('INDUSTRY', EDGE, 64, `700 46px ${SLAB}`, '#ffb21a')
  write(tell('daily.title'), 360, 62, `600 34px ${PLAIN}`, '#fbf7ea')
  write(`${dayText(one.date)} · ${planText(one, result.players)}`, EDGE, 154, `500 32px ${PLAIN}`)
  write(tell('daily.points', { count: result.points }), EDGE, 244, `700 76px ${SLAB}`)
  write(tell('daily.place', { place: result.place, players: result.players }), 620, 240, `600 42px ${PLAIN}`)
  const rows = [
    { name: say('pages.me'), points: result.points },
    ...result.others.map((other) => ({ name: botName(other.bot), points: other.points })),
  ]
  const best = Math.max(1, ...rows.map((row) => row.points))
  const step = Math.min(88, (HEIGHT - 290) / rows.length)
  rows.forEach((row, index) => {
    const top = 286 + index * step
    write(row.name, EDGE, top + step * 0.55, `${index ? 500 : 700} 30px ${PLAIN}`, '#17212b', 220)
    pen.fillStyle = COLOURS[index % COLOURS.length]!
    pen.fillRect(300, top + 8, Math.max(6, (Math.max(0, row.points) / best) * 730), step - 24)
    write(String(row.points), 1060, top + step * 0.58, `700 34px ${SLAB}`)
  })
}

/** The drawn picture as a file. */
export function fileOf(canvas: HTMLCanvasElement, date: string): Promise<File | null> {
  return new Promise((resolve) =>
    canvas.toBlob(
      (blob) => resolve(blob && new File([blob], `industry-${date}.png`, { type: 'image/png' })),
      'image/png',
    ),
  )
}
