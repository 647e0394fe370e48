// A table as this screen knows it: what the server said last, what is shown of it by now, and what
// is done about it here.
import { NOTHING_FOUND, type BagFindings } from './bag'
import { seatName } from './bots'
import { fieldsById } from './fieldState'
import { History } from './history.svelte'
import { readLine } from './notation'
import { Playback } from './playback.svelte'
import { prefs } from './prefs.svelte'
import { isSlip } from './accidentalPress'
import type {
  AnyOrder,
  BoardInfo,
  Choice,
  Emote,
  Entry,
  ErrorMessage,
  FieldInfo,
  GameView,
  OrdersPreview,
  Presence,
  Refusal,
  Reserved,
  Said,
  SeatView,
  Step,
  TableView,
  Warming,
  Yours,
} from './protocol'
import type { Link, Listener } from './socket'
import type { FieldReport } from './worth.svelte'
import { takeBack, type Wire } from './wire'

/** Why a press did nothing is said once, not at every table again. */
let isSlipTold = false

export class Table implements Listener {
  board: BoardInfo = $state.raw()!
  yours: Yours[] = $state.raw([])
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

  private readonly history = new History()
  private readonly playback = new Playback(
    this.history,
    (seat) => this.isMine(seat),
    () => this.arrived(),
  )
  private isHurried = false
  /** What is to be decided here, and since when it is shown. */
  private decision = { of: '', since: 0 }
  private wire: Wire | null = null
  private expected: { version: number; resolve: () => void }[] = []
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- a cache that nothing shows
  private readonly reports = new Map<string, FieldReport>()

  /** The entries that count, as far as they are shown: nothing that was taken back is among them. */
  readonly standing: Entry[] = $derived(this.history.standing(this.entries.length))
  readonly fields: Map<string, FieldInfo> = $derived(fieldsById(this.board))
  /** The seat of this screen that must decide, once everything before is shown. */
  readonly deciding: Yours | null = $derived(
    this.isCaughtUp
      ? (this.yours.find((one) => one.seat === this.view?.game?.actor && one.legal.length) ?? null)
      : null,
  )
  /** Whose eyes this screen has: the deciding seat's, else the first that is held here. */
  readonly me: number | null = $derived(this.deciding?.seat ?? this.seats[0] ?? null)

  /** The table after everything that is known of it. */
  get view(): TableView {
    return this.history.view
  }

  get log(): Entry[] {
    return this.history.log
  }

  /** The entries as far as they are shown. */
  get entries(): Entry[] {
    return this.playback.entries
  }

  /** The game as far as it is shown. */
  get game(): GameView | null {
    return this.playback.game
  }

  /** The entry that is being shown, for movement and for the live region. */
  get happening(): Entry | null {
    return this.playback.happening
  }

  /** Everything that is known is shown. */
  get isCaughtUp(): boolean {
    return this.playback.isCaughtUp
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
    this.playback.stop()
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
    this.own(snapshot.yours)
    this.history.replace(snapshot.view, snapshot.log)
    if (isFirst) this.readUntil = this.lastOwnEntry()
    this.playback.catchUp()
    this.meetExpectations()
  }

  grown(steps: Step[], yours: Yours[]): void {
    this.own(yours)
    this.history.grow(steps)
    this.playback.follow(steps.length)
    this.meetExpectations()
  }

  /** A random seating makes people move at the start: `yours` always names the current seats. */
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

  /** Show everything at once, and what comes until this screen has to decide. */
  skip(): void {
    this.playback.skip(this.seats.length > 0)
  }

  /** Show again what happened from that entry of the log on; what was taken back is not shown. */
  async playBack(entry: number): Promise<void> {
    const from = Math.max(entry, this.history.firstShown)
    try {
      await this.history.recall(from, async (after) => (await this.wire?.steps(after)) ?? [])
    } catch {
      return // the connection is lost, which is said elsewhere
    }
    if (this.history.gameAfter(from)) this.playback.playFrom(from)
  }

  /** Everything is shown; returns whether there is something to decide or the game is over. */
  private arrived(): boolean {
    this.reports.clear()
    const seat = this.deciding?.seat
    const decision = seat ? `${seat} ${this.view.game?.moves}` : ''
    if (decision !== this.decision.of) this.decision = { of: decision, since: performance.now() }
    return Boolean(seat) || this.view.status === 'over'
  }

  private lastOwnEntry(): number {
    return this.log.findLastIndex((entry) => entry.kind === 'move' && this.isMine(entry.seat)) + 1
  }

  // --- what this screen asks and does ---

  /** What a legal move would cost and bring. */
  choiceOf(line: string): Choice | null {
    return this.yours.flatMap((one) => one.choices).find((choice) => choice.line === line) ?? null
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

  /** Whether orders can be given here: in a running game on a server. */
  get takesOrders(): boolean {
    return Boolean(this.wire?.orders) && this.view.status === 'running'
  }

  /** Replace a seat's standing orders; resolves to whether they were accepted. */
  async setOrders(seat: number, lines: AnyOrder[]): Promise<boolean> {
    const revision = this.yours.find((one) => one.seat === seat)?.orders?.revision ?? 0
    await this.send(seat, async (wire) => (await wire.orders?.set(seat, revision, lines)) ?? 0)
    return !this.problem
  }

  /** What orders would do now and at the last decisions; null where nobody can say. */
  async tryOrders(seat: number, lines: AnyOrder[]): Promise<OrdersPreview | null> {
    try {
      return (await this.wire?.orders?.try(seat, lines)) ?? null
    } catch {
      return null
    }
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
