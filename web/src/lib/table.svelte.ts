// A table as this screen knows it: what the server said last, and what is shown of it by now.
// What others did is shown one entry after the other, each for its pause, whether it came alone or
// with others; skipping is always possible, and one's own moves never wait.
import { NOTHING_FOUND, type BagFindings } from './bag'
import { seatName } from './bots'
import { grown, viewAfter } from './applyEvents'
import { fieldsById } from './fieldState'
import { readLine } from './notation'
import { prefs, type Pace } from './prefs.svelte'
import { isSlip } from './accidentalPress'
import type {
  BoardInfo,
  Choice,
  Emote,
  Entry,
  ErrorMessage,
  FieldInfo,
  GameView,
  Presence,
  Refusal,
  Reserved,
  Said,
  SeatView,
  TableView,
  Warming,
  Yours,
} from './protocol'
import type { Link, Listener } from './socket'
import type { FieldReport } from './worth.svelte'
import { remaining } from './gameLog'
import { takeBack, type Wire } from './wire'

const PAUSES: Record<Pace, number> = { instant: 0, fast: 250, brisk: 650, steady: 1300, leisurely: 2600 }
/** Between one's own move and the first answer to it. */
const BEAT = 250
/** While one's own clock runs, nothing that others did holds one up for longer. */
const PAUSE_ON_CLOCK = 300
/** Beyond this, playing back would only delay: then all is shown at once. */
const MOST_PLAYED_BACK = 60
/** A question that got no answer is asked again after this. */
const ASK_AGAIN = 3_000

/** Why a press did nothing is said once, not at every table again. */
let isSlipTold = false

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
  /** Seats that wait for this screen, with the place of their token in `hello`. */
  reserved: Reserved[] = $state.raw([])
  /** What this browser has found out about the bag. */
  bag: BagFindings = $state.raw(NOTHING_FOUND)
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
  /** What people have said. */
  chat: Said[] = $state.raw([])
  /** A press was ignored because it came right after the one before, and this is to be said. */
  hasSlipped = $state(false)
  /** Asked before a move of this screen is sent: whether it is to be made. */
  beforeMove: ((line: string) => Promise<boolean>) | null = null
  /** How far the log was read when one's last decision was made. */
  readUntil = $state(0)

  /** What was shown last still has its pause. */
  private isResting = $state(false)
  /** Nothing is played back until this screen has to decide. */
  private isSkipping = false
  private played: GameView | null = $state.raw(null)
  private timer = 0
  private isHurried = false
  /** What is to be decided here, and since when it is shown. */
  private decision = { of: '', since: 0 }
  private wire: Wire | null = null
  private expected: { version: number; resolve: () => void }[] = []
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- a cache that nothing shows
  private readonly reports = new Map<string, FieldReport>()

  readonly game: GameView | null = $derived(this.isCaughtUp ? (this.view?.game ?? null) : this.played)
  readonly entries: Entry[] = $derived(this.isCaughtUp ? this.log : this.log.slice(0, this.told))
  /** The entries that count: nothing that was taken back is among them. */
  readonly standing: Entry[] = $derived(remaining(this.entries).map(({ entry }) => entry))
  readonly fields: Map<string, FieldInfo> = $derived(fieldsById(this.board))
  /** The seat of this screen that must decide, once everything before is shown. */
  readonly deciding: Yours | null = $derived(
    this.isCaughtUp
      ? (this.yours.find((one) => one.seat === this.view?.game?.actor && one.legal.length) ?? null)
      : null,
  )
  /** Whose eyes this screen has: the deciding seat's, else the first that is held here. */
  readonly me: number | null = $derived(this.deciding?.seat ?? this.seats[0] ?? null)

  get isCaughtUp(): boolean {
    return this.told >= this.log.length && !this.isResting
  }

  /** The bot that is thinking now, once everything before is shown. */
  get thinker(): SeatView | null {
    const actor = this.isCaughtUp ? this.view.game?.actor : null
    const seat = actor ? this.seat(actor) : undefined
    return seat && seat.kind === 'bot' ? seat : null
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

  /** How far the machine code of a seat's bot is, while another bot plays for it. */
  warmingOf(view: SeatView): Warming | null {
    const warming = this.presence?.warming
    return warming && view.kind === 'bot' && warming.bots.includes(view.bot ?? '') ? warming : null
  }

  isMine(seat: number | null): boolean {
    return seat !== null && this.seats.includes(seat)
  }

  // --- what the server says ---

  linked(state: Link): void {
    this.link = state
  }

  welcomed(message: { seats: number[]; reserved: Reserved[]; host: boolean; now: number }): void {
    if (this.problem?.retry_after) this.problem = null
    this.isHurried = false // a new connection has not been told
    this.hurry(prefs.pace === 'instant')
    this.seats = message.seats
    this.reserved = message.reserved
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
    const isQuick = this.isSkipping || prefs.pace === 'instant'
    if (isTakenBack || !this.played || !this.board || document.hidden || isQuick || waits > MOST_PLAYED_BACK) {
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

  said(message: Said): void {
    if (message.number > (this.chat.at(-1)?.number ?? 0)) this.chat = [...this.chat, message]
  }

  /** Say something to everyone at the table. */
  say(text: string, emote: Emote | null = null): void {
    if (this.me) this.wire?.say(this.me, text, emote)
  }

  failed(error: ErrorMessage): void {
    this.problem = error
  }

  /** Whether bots should answer at once. */
  hurry(on: boolean): void {
    if (on !== this.isHurried) this.wire?.hurry(on)
    this.isHurried = on
  }

  // --- playing back ---

  /** Show everything at once, and what comes until this screen has to decide. */
  skip(): void {
    this.isSkipping = this.seats.length > 0
    this.catchUp()
  }

  private catchUp(): void {
    clearTimeout(this.timer)
    this.timer = 0
    this.isResting = false
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
    this.isResting = false
    const entry = this.log[this.told]
    if (!entry || !this.played) {
      this.arrived()
      return
    }
    this.played = {
      ...grown(this.played, entry, this.log.slice(this.told + 1), this.board),
      score: this.view.game?.score ?? [],
    }
    this.told += 1
    this.happening = entry
    const pause = this.pauseAfter(entry)
    this.isResting = pause > 0
    if (this.isCaughtUp) this.arrived()
    else this.timer = window.setTimeout(() => this.step(), pause)
  }

  /** What is no move is not waited for, nor is one's own decision, save for a beat before the answer
   * of somebody else; a turn that ends by itself is shown like the moves of others. */
  private pauseAfter(entry: Entry): number {
    if (entry.kind !== 'move' || !entry.line) return 0
    if (this.isMine(entry.seat) && entry.how === 'player') {
      return this.isMine(this.view.game?.actor ?? null) ? 0 : Math.min(PAUSES[prefs.pace], BEAT)
    }
    const pause = PAUSES[prefs.pace] * weightOf(entry.line)
    const isOnClock = this.view.options.clock === 'live' && this.isMine(this.view.game?.actor ?? null)
    return isOnClock ? Math.min(pause, PAUSE_ON_CLOCK) : pause
  }

  private arrived(): void {
    this.reports.clear()
    const seat = this.deciding?.seat
    if (seat || this.view.status === 'over') this.isSkipping = false
    const decision = seat ? `${seat} ${this.view.game?.moves}` : ''
    if (decision !== this.decision.of) this.decision = { of: decision, since: performance.now() }
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
    if (!this.isMeant() || (this.beforeMove && !(await this.beforeMove(line)))) return
    await this.send(readLine(line).seat, (wire, seat) => wire.move(seat, line))
  }

  async undo(): Promise<void> {
    const seat = this.yours.find((one) => one.can_undo)?.seat
    if (seat && this.isMeant()) await this.send(seat, (wire) => takeBack(wire, seat))
  }

  /** Whether the press is for what is shown now, and not the second one of a double click. */
  private isMeant(): boolean {
    if (!isSlip(this.decision.since)) return true
    this.hasSlipped = !isSlipTold
    isSlipTold = true
    return false
  }

  async command(type: 'leave' | 'resign' | 'return', seat: number): Promise<void> {
    await this.send(seat, (wire) => wire.command(type, seat))
  }

  /** Ask for a stand-in for somebody who has not decided for too long. */
  async standIn(seat: number, target: number): Promise<void> {
    await this.send(seat, (wire) => wire.standIn(seat, target))
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

  /** What a field is worth to each seat now, and what it may become worth. */
  async reportOn(field: string): Promise<FieldReport | null> {
    const known = this.reports.get(field)
    if (known) return known
    const answer = await this.wire?.worth(field)
    if (answer) this.reports.set(field, answer)
    return answer ?? null
  }
}

/** How long a move is shown, compared with a bid. */
function weightOf(line: string): number {
  const { verb } = readLine(line)
  if (verb === 'pass' || verb === 'done') return 0.6
  return verb === 'draw' || verb === 'develop' ? 1.3 : 1
}
