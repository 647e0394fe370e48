// A recorded game as a table that goes back and forth. The server has replayed it; nothing is
// computed here but the way from one of its positions to the next.
import { readLine } from './notation'
import { positionsOf } from './positions'
import type { Entry, GameView, MomentWorth, Replayed, SeatView, TableView } from './protocol'
import { Table } from './table.svelte'
import { WITHOUT_SERVER } from './withoutServer'
import type { FieldReport } from './worth.svelte'

export const SPEEDS = [0.5, 1, 2, 4] as const
const PAUSE = 900

/** A place that one can jump to. */
export interface Mark {
  at: number
  round: number
  era: number
  /** Of an auction. */
  field: string
}

/** A table without a server: what it asks is answered by the viewer. */
class Recorded extends Table {
  constructor(private readonly ask: (field: string) => Promise<FieldReport | null>) {
    super()
  }

  override reportOn(field: string): Promise<FieldReport | null> {
    return this.ask(field)
  }
}

export class Replay {
  readonly table: Table
  /** How many moves of the record are shown. */
  at = $state(0)
  isPlaying = $state(false)
  speed: (typeof SPEEDS)[number] = $state(1)
  readonly total: number
  readonly rounds: Mark[]
  readonly auctions: Mark[]

  private readonly views: GameView[]
  private readonly entries: Entry[]
  private timer = 0
  private known: { at: number; answer: Promise<MomentWorth> } | null = null

  /** `worth` asks what fields are worth after a number of moves; `seats` are those of the table, if there is one. */
  constructor(
    readonly game: Replayed,
    private readonly worth: (at: number) => Promise<MomentWorth>,
    private readonly seats: readonly SeatView[] = [],
  ) {
    this.total = game.steps.length - 1
    this.entries = game.steps.map((step) => step.entry)
    this.views = positionsOf(game)
    const marks = marksOf(this.entries)
    this.rounds = marks.filter((mark) => !mark.field)
    this.auctions = marks.filter((mark) => mark.field)
    this.table = new Recorded((field) => this.reportOf(field))
    this.table.board = game.board
    this.show(0)
  }

  /** Shows the position after this many moves. */
  show(at: number): void {
    this.at = Math.max(0, Math.min(this.total, Math.round(at)))
    this.table.replaced({ view: this.viewAt(this.at), yours: [], log: this.entries.slice(0, this.at + 1) })
    if (this.at === this.total) this.pause()
  }

  step(by: number): void {
    this.pause()
    this.show(this.at + by)
  }

  /** The next mark before or after what is shown. */
  jump(marks: readonly Mark[], by: 1 | -1): void {
    this.pause()
    const found = by > 0 ? marks.find((mark) => mark.at > this.at) : marks.findLast((mark) => mark.at < this.at)
    this.show(found?.at ?? (by > 0 ? this.total : 0))
  }

  play(): void {
    if (this.at === this.total) this.show(0)
    this.isPlaying = true
    this.wait()
  }

  pause(): void {
    clearTimeout(this.timer)
    this.isPlaying = false
  }

  toggle(): void {
    if (this.isPlaying) this.pause()
    else this.play()
  }

  /** Whether the game is over at the end of the record. */
  get isFinished(): boolean {
    return this.views.at(-1)?.phase === 'over'
  }

  /** The round that is shown. */
  get round(): Mark | undefined {
    return this.rounds.findLast((mark) => mark.at <= this.at)
  }

  /** Asked once per moment, for all fields. */
  private async reportOf(field: string): Promise<FieldReport | null> {
    const at = this.at
    if (this.known?.at !== at) this.known = { at, answer: this.worth(at) }
    const { worth, prospects } = await this.known.answer
    return worth[field] && prospects[field]
      ? { worth: worth[field], prospects: prospects[field], claim_limit: null }
      : null
  }

  private wait(): void {
    clearTimeout(this.timer)
    this.timer = window.setTimeout(
      () => {
        this.show(this.at + 1)
        if (this.isPlaying) this.wait()
      },
      this.pauseAt(this.at) / this.speed,
    )
  }

  private pauseAt(at: number): number {
    const line = this.entries[at]?.line
    const verb = line ? readLine(line).verb : 'draw'
    return verb === 'pass' || verb === 'done' ? PAUSE * 0.6 : verb === 'draw' ? PAUSE * 1.3 : PAUSE
  }

  private viewAt(at: number): TableView {
    const game = this.views[at]!
    return {
      table: '',
      version: at,
      status: game.phase === 'over' ? 'over' : 'running',
      options: this.game.options,
      board_hash: this.game.board.hash,
      seats: this.game.players.map((name, index) => seatOf(name, index, this.seats[index])),
      ...WITHOUT_SERVER,
      game,
    }
  }
}

function seatOf(name: string, index: number, atTable?: SeatView): SeatView {
  const bot = atTable?.bot ?? null
  return {
    seat: index + 1,
    kind: bot ? 'bot' : 'human',
    name,
    bot,
    bot_number: atTable?.bot_number ?? null,
    absent: false,
    claimed: true,
    person: null,
    taken_back: 0,
    hints: 0,
  }
}

function marksOf(entries: readonly Entry[]): Mark[] {
  const found: Mark[] = []
  let [round, era] = [0, 1]
  entries.forEach((entry, at) => {
    for (const event of entry.events) {
      if (event.type === 'round_started') {
        ;[round, era] = [event.number, event.era]
        found.push({ at, round, era, field: '' })
      } else if (event.type === 'field_offered') found.push({ at, round, era, field: event.field })
    }
  })
  return found
}
