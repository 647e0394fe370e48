// A table as this screen knows it: what the server said last, and what is shown of it by now.
// What others did is shown one entry after the other, at the pace one likes; skipping is always
// possible, and one's own moves never wait.
import { seatName } from './bots'
import { grown, viewAfter } from './fold'
import { readLine } from './lines'
import { prefs, type Pace } from './prefs.svelte'
import type {
  BoardInfo,
  Choice,
  Choices,
  Entry,
  ErrorMessage,
  FieldInfo,
  FieldWorth,
  GameView,
  Presence,
  Refusal,
  SeatView,
  TableView,
  Why,
  Worth,
  Yours,
} from './protocol'
import type { Link, Listener } from './socket'

/** What a table asks of its socket; the gallery has one without a server. */
export interface Wire {
  /** Resolves to the version that it became, once it is durable. */
  move(seat: number, line: string): Promise<number>
  command(type: 'undo' | 'leave' | 'resign' | 'return', seat: number): Promise<number>
  choices(seat: number): Promise<Choices>
  why(line: string): Promise<Why>
  worth(field: string): Promise<FieldWorth>
  close(): void
}

const PAUSES: Record<Pace, number> = { instant: 0, fast: 250, brisk: 650, steady: 1300, leisurely: 2600 }
/** Beyond this, playing back would only delay: then all is shown at once. */
const MOST_PLAYED_BACK = 60
/** A question that got no answer is asked again after this. */
const ASK_AGAIN = 3_000

export class Table implements Listener {
  board: BoardInfo = $state.raw()!
  view: TableView = $state.raw()!
  yours: Yours[] = $state.raw([])
  log: Entry[] = $state.raw([])
  presence: Presence | null = $state.raw(null)
  link: Link = $state('connecting')
  /** Seats that are played at this screen. */
  seats: number[] = $state.raw([])
  isHost = $state(false)
  /** How far the server's clock is ahead of this one, in milliseconds. */
  skew = 0
  /** How many entries of the log are shown by now. */
  told = $state(0)
  /** The entry that is being shown, for movement and for the live region. */
  happening: Entry | null = $state.raw(null)
  /** What each legal move would cost and bring, for the version it was asked at. */
  choices: { version: number; of: Choice[] } = $state.raw({ version: -1, of: [] })
  /** A command is on its way. */
  isSending = $state(false)
  problem: ErrorMessage | null = $state.raw(null)
  /** How far the log was read when one's last decision was made. */
  readUntil = $state(0)

  private played: GameView | null = $state.raw(null)
  private timer = 0
  private wire: Wire | null = null
  private expected: { version: number; resolve: () => void }[] = []
  private readonly worths = new Map<string, Worth[]>()

  readonly game: GameView | null = $derived(this.isCaughtUp ? (this.view?.game ?? null) : this.played)
  readonly entries: Entry[] = $derived(this.isCaughtUp ? this.log : this.log.slice(0, this.told))
  readonly fields: Map<string, FieldInfo> = $derived(new Map(this.board?.fields.map((field) => [field.id, field])))
  /** The seat of this screen that must decide, once everything before is shown. */
  readonly deciding: Yours | null = $derived(
    this.isCaughtUp ? (this.yours.find((one) => one.seat === this.view?.game?.actor && one.legal.length) ?? null) : null,
  )
  /** Whose eyes this screen has: the deciding seat's, else the first that is held here. */
  readonly me: number | null = $derived(this.deciding?.seat ?? this.seats[0] ?? null)

  get isCaughtUp(): boolean {
    return this.told >= this.log.length
  }

  attach(wire: Wire): void {
    this.wire = wire
  }

  close(): void {
    clearTimeout(this.timer)
    this.wire?.close()
  }

  field(id: string): FieldInfo {
    return this.fields.get(id)!
  }

  seat(number: number): SeatView | undefined {
    return this.view?.seats[number - 1]
  }

  nameOf(seat: number): string {
    const view = this.seat(seat)
    return view ? seatName(view) : ''
  }

  isMine(seat: number | null): boolean {
    return seat !== null && this.seats.includes(seat)
  }

  // --- what the server says ---

  linked(state: Link): void {
    this.link = state
  }

  welcomed(message: { seats: number[]; host: boolean; now: number }): void {
    this.seats = message.seats
    this.isHost = message.host
    this.skew = message.now - Date.now()
  }

  replaced(snapshot: { view: TableView; yours: Yours[]; log: Entry[] }): void {
    const isFirst = !this.log.length
    this.view = snapshot.view
    this.own(snapshot.yours)
    this.log = snapshot.log
    if (isFirst) this.readUntil = this.lastOwnEntry()
    this.catchUp()
    this.meetExpectations()
  }

  grown(entries: Entry[], view: TableView, yours: Yours[]): void {
    if (this.isCaughtUp) this.played = this.view?.game ?? null
    this.view = view
    this.own(yours)
    this.log = [...this.log, ...entries]
    const isTakenBack = entries.some((entry) => entry.kind === 'undone')
    const waits = this.log.length - this.told
    if (isTakenBack || !this.played || !this.board || document.hidden || prefs.pace === 'instant' || waits > MOST_PLAYED_BACK) {
      this.catchUp()
    } else if (!this.timer) {
      this.step()
    }
    this.meetExpectations()
  }

  /** A random seating makes people move at the start: `yours` always names the seats of now. */
  private own(yours: Yours[]): void {
    this.yours = yours
    this.seats = yours.map((one) => one.seat)
  }

  present(message: Presence): void {
    this.presence = message
  }

  failed(error: ErrorMessage): void {
    this.problem = error
  }

  // --- playing back ---

  /** Show everything at once. */
  catchUp(): void {
    clearTimeout(this.timer)
    this.timer = 0
    this.told = this.log.length
    this.happening = this.log.at(-1) ?? null
    this.arrived()
  }

  /** Show again what happened from that entry of the log on; what was taken back is not shown. */
  playBack(entry: number): void {
    this.catchUp()
    const from = Math.max(entry, this.log.findLastIndex((one) => one.kind === 'undone') + 1)
    const view = viewAfter(from, this.log, this.view.seats.length, this.board)
    this.played = { ...view, score: this.view.game?.score ?? [] }
    this.told = from
    this.step()
  }

  private step(): void {
    this.timer = 0
    const entry = this.log[this.told]
    if (!entry || !this.played) {
      this.arrived()
      return
    }
    this.played = grown(this.played, entry, this.log.slice(this.told + 1), this.board)
    this.told += 1
    this.happening = entry
    if (this.isCaughtUp) this.arrived()
    else this.timer = window.setTimeout(() => this.step(), this.pauseAfter(entry))
  }

  /** One's own moves and what is no decision are not waited for. */
  private pauseAfter(entry: Entry): number {
    if (entry.kind !== 'move' || !entry.line || this.isMine(entry.seat)) return 0
    const { verb } = readLine(entry.line)
    const weight = verb === 'pass' || verb === 'done' ? 0.6 : verb === 'draw' || verb === 'develop' ? 1.3 : 1
    return PAUSES[prefs.pace] * weight
  }

  private arrived(): void {
    this.worths.clear()
    const seat = this.deciding?.seat
    if (seat) void this.askChoices(seat)
  }

  private lastOwnEntry(): number {
    return this.log.findLastIndex((entry) => entry.kind === 'move' && this.isMine(entry.seat)) + 1
  }

  // --- what this screen asks and does ---

  private async askChoices(seat: number): Promise<void> {
    const version = this.view.version
    if (this.choices.version === version) return
    try {
      const answer = await this.wire?.choices(seat)
      if (answer && answer.version === this.view.version) this.choices = { version, of: answer.choices }
    } catch {
      setTimeout(() => this.deciding?.seat === seat && void this.askChoices(seat), ASK_AGAIN)
    }
  }

  /** The server has told what each legal move would cost and bring now. */
  get knowsChoices(): boolean {
    return this.choices.version === this.view.version
  }

  /** What a legal move would cost and bring; null until the server has answered. */
  choiceOf(line: string): Choice | null {
    if (!this.knowsChoices) return null
    return this.choices.of.find((choice) => choice.line === line) ?? null
  }

  /** Make a move from the list of legal ones. */
  async play(line: string): Promise<void> {
    await this.send(readLine(line).seat, (wire, seat) => wire.move(seat, line))
  }

  async undo(): Promise<void> {
    const seat = this.yours.find((one) => one.can_undo)?.seat
    if (seat) await this.send(seat, (wire) => wire.command('undo', seat))
  }

  async command(type: 'leave' | 'resign' | 'return', seat: number): Promise<void> {
    await this.send(seat, (wire) => wire.command(type, seat))
  }

  get canUndo(): boolean {
    return this.yours.some((one) => one.can_undo)
  }

  private async send(seat: number, act: (wire: Wire, seat: number) => Promise<number>): Promise<void> {
    if (!this.wire || this.isSending) return
    this.isSending = true
    this.problem = null
    try {
      // until its update is here, buttons would still be about the position before
      await this.known(await act(this.wire, seat))
      this.readUntil = this.lastOwnEntry()
    } catch (error) {
      this.problem = error as ErrorMessage
    } finally {
      this.isSending = false
    }
  }

  /** Resolves once that version of the table is known here. */
  private async known(version: number): Promise<void> {
    if (this.view.version >= version) return
    await new Promise<void>((resolve) => this.expected.push({ version, resolve }))
  }

  private meetExpectations(): void {
    const met = this.expected.filter((one) => one.version <= this.view.version)
    this.expected = this.expected.filter((one) => one.version > this.view.version)
    for (const { resolve } of met) resolve()
  }

  async why(line: string): Promise<Refusal | null> {
    try {
      return (await this.wire?.why(line))?.refusal ?? null
    } catch {
      return null
    }
  }

  /** What a field is worth to each seat now. */
  async worth(field: string): Promise<Worth[]> {
    const known = this.worths.get(field)
    if (known) return known
    const answer = await this.wire?.worth(field)
    const found = answer?.worth ?? []
    this.worths.set(field, found)
    return found
  }
}
