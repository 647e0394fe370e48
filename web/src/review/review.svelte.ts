// A review while it grows: asked for until it is whole. Its data are those of `industry review`.
import { ask, recordOf, Refused, replayRecord } from '../lib/api'
import { problemText } from '../lib/errorText'
import { language } from '../lib/i18n.svelte'
import { positionsOf } from '../lib/positions'
import type {
  GameView,
  Language,
  Replayed,
  ReviewBegun,
  ReviewState,
  ReviewWish,
  TryAnswer,
  TryMove,
  TryMoves,
  TryWish,
} from '../lib/protocol'
import { unpacked } from '../lib/recordLink'
import type { Place } from '../lib/router.svelte'

export const TERMS = ['start', 'luck', 'own', 'gifts', 'unexplained', 'result'] as const
export type Term = (typeof TERMS)[number]
export type SeatAccount = { seat: number } & Record<Term, number>

export interface Decision {
  move: number
  seat: number
  kind: string
  line: string
  best: string | null
  loss: number
  loss_se: number
  verdict: string
}

export interface ReviewEvent {
  move: number
  line: string
  kind: string
  seat: number | null
  win: number[]
}

export interface AuctionRow {
  move: number
  era: number
  field: string
  owner: number
  price: number
  surplus: number
  perfect: { price: number; owner: number }
  talers: number[]
  /** What each seat's last Taler is worth in points. */
  taler: number[]
  win: number[]
  denial: number[]
  regret: number[]
}

export interface Review {
  edition: string
  board: string
  players: string[]
  lines: number
  seats: SeatAccount[]
  gifts: { from: number; to: number; amount: number }[]
  events: ReviewEvent[]
  auctions: AuctionRow[]
  decisions: Decision[]
}

const PACKED = 'g='
const PAUSE = 700

export class Reviewing {
  state: ReviewState | null = $state.raw(null)
  /** The game that is reviewed, for the board at every moment. */
  game: Replayed | null = $state.raw(null)
  positions: GameView[] = $state.raw([])
  problem = $state('')
  private timer = 0
  private isOver = false

  constructor(private readonly place: Place) {}

  /** The table of the game, where it has one. */
  get table(): string {
    return this.place.table
  }

  get review(): Review | null {
    return (this.state?.found?.review as unknown as Review | undefined) ?? null
  }

  /** What there is to say about a decision. */
  sentences(move: number): string[] {
    return this.state?.found?.told[language() satisfies Language]?.[String(move)] ?? []
  }

  /** Ask now and until the review is whole; returns what ends it. For use as an effect. */
  start(): () => void {
    void this.begin()
    return () => {
      this.isOver = true
      clearTimeout(this.timer)
    }
  }

  async begin(): Promise<void> {
    this.problem = ''
    try {
      const text = await this.text()
      const wish: ReviewWish = this.place.table ? { table: this.place.table } : { record: text }
      const begun = await ask<ReviewBegun>('reviews', { ...wish, language: language() })
      void this.look(begun.id)
      this.game = await replayRecord({ record: text, language: language() })
      this.positions = positionsOf(this.game)
    } catch (error) {
      this.failed(error)
    }
  }

  async moves(move: number): Promise<TryMove[]> {
    const path = `reviews/${this.state!.id}/moves?move=${move}&language=${language()}`
    return (await ask<TryMoves>(path)).moves
  }

  attempt(wish: TryWish): Promise<TryAnswer> {
    return ask(`reviews/${this.state!.id}/try`, wish)
  }

  private text(): Promise<string> {
    if (this.place.table) return recordOf(this.place.table)
    return unpacked(this.place.hash.slice(PACKED.length)).catch(() => {
      throw new Refused('bad_record')
    })
  }

  private async look(id: string): Promise<void> {
    try {
      this.state = await ask<ReviewState>(`reviews/${id}`)
      this.problem = ''
    } catch (error) {
      this.failed(error)
    }
    const isOpen = !this.state || this.state.status === 'waiting' || this.state.status === 'running'
    if (isOpen && !this.isOver) this.timer = window.setTimeout(() => void this.look(id), PAUSE)
  }

  private failed(error: unknown): void {
    const told = error instanceof Refused && error.code === 'bad_record' ? error.detail : ''
    this.problem = told || problemText(error)
  }
}

/** A point of the picture of chances. */
export interface Point {
  move: number
  win: number[]
}

/** Chances over time: by the review as far as it is, then by the first sketch. */
export function chancesOf(state: ReviewState, review: Review | null): Point[] {
  const known: Point[] = (review?.events ?? []).map(({ move, win }) => ({ move, win }))
  const last = known.at(-1)?.move ?? -1
  if (review && state.status === 'done')
    return [...known, { move: last + 1, win: review.seats.map((seat) => seat.result) }]
  return [...known, ...(state.sketch?.chances ?? []).filter((point) => point.move > last)]
}

/** The moves after which somebody's chance had changed most. */
export function biggestTurns(points: readonly Point[], most = 3): { move: number; seat: number; change: number }[] {
  const turns = points.slice(1).map((point, index) => {
    const before = points[index]!
    const changes = point.win.map((win, seat) => win - before.win[seat]!)
    const seat = changes.reduce((best, one, at) => (Math.abs(one) > Math.abs(changes[best]!) ? at : best), 0)
    return { move: before.move, seat: seat + 1, change: changes[seat]! }
  })
  return turns.sort((one, other) => Math.abs(other.change) - Math.abs(one.change)).slice(0, most)
}

/** Mean loss per real decision in thousandths of a win, with half of its 95 % interval. */
export function meanLoss(decisions: readonly Decision[], seat: number): { count: number; mean: number; half: number } {
  const losses = decisions.filter((one) => one.seat === seat && one.verdict !== 'forced').map((one) => 1000 * one.loss)
  const count = losses.length
  if (count < 2) return { count, mean: losses[0] ?? 0, half: 0 }
  const mean = losses.reduce((sum, loss) => sum + loss, 0) / count
  const variance = losses.reduce((sum, loss) => sum + (loss - mean) ** 2, 0) / (count - 1)
  return { count, mean, half: 1.96 * Math.sqrt(variance / count) }
}
