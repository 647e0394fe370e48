// One table's socket: says hello, keeps what the server tells, comes back by itself.
import { commandId } from './api'
import type {
  ClientMessage,
  Entry,
  ErrorMessage,
  FieldWorth,
  Language,
  Emote,
  OrdersPreview,
  Presence,
  Said,
  ServerMessage,
  Snapshot,
  Step,
  StepsPart,
  Update,
  Welcome,
  Why,
  Yours,
} from './protocol'
import { PROTOCOL } from './protocol'
import type { OrdersWire } from './wire'

export type Link = 'connecting' | 'open' | 'lost' | 'closed'

export interface Listener {
  linked(state: Link): void
  welcomed(message: Welcome): void
  /** The whole table; replaces all that was known. */
  replaced(snapshot: Snapshot): void
  /** What has happened since, and what concerns one's own seats after it. */
  grown(steps: Step[], yours: Yours[]): void
  present(message: Presence): void
  said(message: Said): void
  /** An error that answers no question of ours. */
  failed(error: ErrorMessage): void
}

type Answer = Why | FieldWorth | StepsPart | OrdersPreview | { type: 'accepted'; version: number } | { type: 'pong' }
interface Waiting {
  message: ClientMessage
  /** Commands are sent again after a reconnect under the same id; questions are not. */
  again: boolean
  sent: number
  resolve(answer: Answer): void
  reject(error: ErrorMessage): void
}

const FIRST_PAUSE = 300
const LONGEST_PAUSE = 8_000
const HEARTBEAT = 15_000
/** A command without an answer for so long is sent again; its id keeps it from counting twice. */
const PATIENCE = 8_000
/** What the server has refused for coming too fast is sent again after this. */
const BREATH = 3_000
/** Errors after which coming back would only repeat them. */
const FINAL = new Set(['no_table', 'bad_token', 'protocol_version', 'too_many_sockets'])

export class TableSocket {
  private socket: WebSocket | null = null
  /** The last version that is known here. */
  private known: number | null = null
  /** A snapshot of which older entries are still asked for, and what has come behind it. */
  private partial: { updates: Update[] } | null = null
  private readonly waiting = new Map<string, Waiting>()
  private pause = FIRST_PAUSE
  private timer = 0
  private beat = 0
  private heard = 0
  private ended = false

  constructor(
    readonly table: string,
    private readonly tokens: string[],
    private readonly language: () => Language,
    private readonly listener: Listener,
  ) {
    this.connect()
    addEventListener('online', this.now)
    document.addEventListener('visibilitychange', this.now)
  }

  /** Leave the table for good. */
  close(): void {
    this.ended = true
    removeEventListener('online', this.now)
    document.removeEventListener('visibilitychange', this.now)
    clearTimeout(this.timer)
    clearInterval(this.beat)
    this.socket?.close()
  }

  /** Send a command for the version that is known; resolves to what it became once it is durable. */
  async command(type: 'undo' | 'leave' | 'resign' | 'return', seat: number): Promise<number> {
    return this.carryOut({ type, id: commandId(), seat, version: this.version })
  }

  async move(seat: number, line: string): Promise<number> {
    return this.carryOut({ type: 'move', id: commandId(), seat, version: this.version, line })
  }

  async standIn(seat: number, target: number): Promise<number> {
    return this.carryOut({ type: 'stand_in', id: commandId(), seat, version: this.version, target })
  }

  readonly orders: OrdersWire = {
    set: async (seat, revision, lines) => this.carryOut({ type: 'set_orders', id: commandId(), seat, revision, lines }),
    try: async (seat, lines) => (await this.ask({ type: 'ask_orders', id: commandId(), seat, lines })) as OrdersPreview,
  }

  /** Say something to the table; refused by an error that answers no question. */
  say(seat: number, text: string, emote: Emote | null): void {
    this.post({ type: 'say', id: commandId(), seat, text, emote })
  }

  hurry(on: boolean): void {
    this.post({ type: 'hurry', on })
  }

  private async carryOut(command: ClientMessage & { id: string }): Promise<number> {
    return ((await this.ask(command, true)) as { version: number }).version
  }

  async steps(after: number): Promise<Step[]> {
    return ((await this.ask({ type: 'ask_steps', id: commandId(), after })) as StepsPart).steps
  }

  async why(line: string): Promise<Why> {
    return (await this.ask({ type: 'ask_why', id: commandId(), line })) as Why
  }

  async worth(field: string): Promise<FieldWorth> {
    return (await this.ask({ type: 'ask_field', id: commandId(), field })) as FieldWorth
  }

  private get version(): number {
    return this.known ?? 0
  }

  private readonly now = (): void => {
    if (!this.ended && !this.socket && document.visibilityState !== 'hidden') {
      this.pause = FIRST_PAUSE
      this.connect()
    }
  }

  private connect(): void {
    clearTimeout(this.timer)
    this.listener.linked('connecting')
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
    const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${this.table}/socket`)
    this.socket = socket
    socket.onopen = () => {
      const hello = { type: 'hello', protocol: PROTOCOL, tokens: this.tokens, version: this.known } as const
      this.post({ ...hello, language: this.language(), choices: true })
      this.heard = Date.now()
      clearInterval(this.beat)
      this.beat = window.setInterval(() => this.heartbeat(), HEARTBEAT)
    }
    socket.onmessage = (event) => this.receive(JSON.parse(String(event.data)) as ServerMessage)
    socket.onclose = () => this.lost(socket)
  }

  private heartbeat(): void {
    if (Date.now() - this.heard > 2 * HEARTBEAT) this.socket?.close()
    else this.post({ type: 'ping', id: commandId() })
    this.sendAgain(Date.now() - PATIENCE)
  }

  /** Commands that were sent before that time and have no answer. */
  private sendAgain(before: number): void {
    for (const question of this.waiting.values()) {
      if (!question.again || question.sent > before) continue
      question.sent = Date.now()
      this.post(question.message)
    }
  }

  private dropQuestions(): void {
    for (const [id, question] of this.waiting) {
      if (question.again) continue
      this.waiting.delete(id)
      question.reject({ type: 'error', id, code: 'stopping', refusal: null, version: null, retry_after: null })
    }
  }

  private lost(socket: WebSocket): void {
    if (socket !== this.socket) return
    this.socket = null
    this.partial = null
    clearInterval(this.beat)
    this.dropQuestions()
    if (this.ended) {
      this.listener.linked('closed')
      return
    }
    this.listener.linked('lost')
    // a little chance in it, so that a whole club does not come back in the same instant
    this.timer = window.setTimeout(() => this.connect(), this.pause * (0.7 + Math.random() * 0.6))
    this.pause = Math.min(LONGEST_PAUSE, this.pause * 1.8)
  }

  private post(message: ClientMessage): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message))
  }

  private ask(message: ClientMessage & { id: string }, again = false): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.waiting.set(message.id, { message, again, sent: Date.now(), resolve, reject })
      this.post(message)
    })
  }

  private receive(message: ServerMessage): void {
    this.heard = Date.now()
    switch (message.type) {
      case 'welcome':
        this.pause = FIRST_PAUSE
        this.listener.linked('open')
        this.listener.welcomed(message)
        this.sendAgain(Date.now())
        break
      case 'snapshot':
        this.complete(message, [])
        break
      case 'update':
        this.update(message)
        break
      case 'said':
        this.listener.said(message)
        break
      case 'presence':
        this.listener.present(message)
        break
      case 'error':
        this.refuse(message)
        break
      default:
        this.waiting.get(message.id)?.resolve(message)
        this.waiting.delete(message.id)
    }
  }

  /** Take a snapshot over once its log begins at the beginning; long ones come in parts. */
  private complete(snapshot: Snapshot, updates: Update[], older: Entry[] = []): void {
    const first = snapshot.log[0]?.version ?? 1
    const after = older.at(-1)?.version ?? 0
    if (after + 1 < first) {
      const partial = (this.partial = { updates })
      this.steps(after).then(
        (steps) => {
          const more = steps.map((step) => step.entry).filter((entry) => entry.version < first)
          if (this.partial === partial) this.complete(snapshot, updates, [...older, ...more])
        },
        () => this.partial === partial && this.socket?.close(),
      )
      return
    }
    this.partial = null
    this.known = snapshot.view.version
    this.listener.replaced({ ...snapshot, log: [...older, ...snapshot.log] })
    for (const update of updates) this.update(update)
  }

  private update(message: Update): void {
    if (this.partial) {
      this.partial.updates.push(message)
      return
    }
    const known = this.known
    // without steps, only what this client alone is told has changed
    const isOwn = !message.steps.length && message.version === known
    if (known === null || (message.version <= known && !isOwn)) return
    this.known = message.version
    const fresh = message.steps.filter((step) => step.entry.version > known)
    this.listener.grown(fresh, message.yours)
  }

  private refuse(error: ErrorMessage): void {
    if (error.code === 'too_many_messages') {
      this.dropQuestions()
      setTimeout(() => this.sendAgain(Date.now()), Math.max(BREATH, (error.retry_after ?? 0) * 1000))
      if (error.retry_after) this.listener.failed(error)
      return
    }
    // who is told to wait does not come back sooner
    if (error.retry_after && !error.id) this.pause = Math.max(this.pause, error.retry_after * 1000)
    const question = error.id ? this.waiting.get(error.id) : undefined
    if (error.id) this.waiting.delete(error.id)
    if (FINAL.has(error.code) && !question) this.ended = true
    if (question) question.reject(error)
    else this.listener.failed(error)
  }
}
