// The log as people read it: entries grouped by round, auction and development.
import type { Key } from './i18n.svelte'
import type { Piece } from '../parts/RichText.svelte'
import type { Entry, GameEvent } from './protocol'

export interface LogLine {
  key: Key
  values: Record<string, Piece>
}

export interface Group {
  kind: 'round' | 'auction' | 'develop' | 'era' | 'note' | 'end'
  /** The number of its first entry in the log, which also names it. */
  from: number
  /** The number after its last entry. */
  until: number
  /** Fields to show on the board when it is chosen. */
  fields: string[]
  /** The field of an auction. */
  field: string
  round: number
  era: number
  title: LogLine | null
  outcome: LogLine | null
  lines: LogLine[]
}

export interface Words {
  nameOf(seat: number): string
  fieldName(field: string): string
  botName(bot: string): string
}

/** Entries of moves that were taken back later are left out; that they were is kept. */
export function remaining(entries: readonly Entry[]): { entry: Entry; index: number }[] {
  const kept: { entry: Entry; index: number }[] = []
  entries.forEach((entry, index) => {
    if (entry.kind === 'undone' && entry.moves !== null) {
      let moves = kept.filter((one) => one.entry.kind === 'move').length
      while (moves > entry.moves) {
        const last = kept.findLastIndex((one) => one.entry.kind === 'move')
        kept.splice(last, 1)
        moves -= 1
      }
    }
    kept.push({ entry, index })
  })
  return kept
}

const HINTS: Record<number, Key> = { 1: 'web.log.hint_1', 2: 'web.log.hint_2', 3: 'web.log.hint_3' }
const ABSENT: Partial<Record<NonNullable<Entry['reason']>, Key>> = {
  left: 'web.log.left',
  clock: 'web.log.clock',
  resigned: 'web.log.resigned',
  voted: 'web.log.voted',
}

class LogBuilder {
  readonly groups: Group[] = []
  private round = 0
  private era = 1
  private readonly takenBack = new Map<number, number>()

  constructor(private readonly words: Words) {}

  addEntry(entry: Entry, index: number): void {
    this.note(entry, index)
    for (const event of entry.events) this.happen(event, entry, index)
    if (entry.stand_in) this.stoodIn(entry.seat, entry.stand_in, index)
    if (entry.how === 'order') this.addToDecision(index, 'web.log.by_order', { seat: this.seat(entry.seat) })
    const last = this.groups.at(-1)
    if (last) last.until = index + 1
  }

  private seat(seat: number | null): Piece {
    return seat ? { seat, name: this.words.nameOf(seat) } : ''
  }

  private open(kind: Group['kind'], index: number, more: Partial<Group> = {}): Group {
    const group: Group = {
      kind,
      from: index,
      until: index + 1,
      fields: [],
      field: '',
      round: this.round,
      era: this.era,
      title: null,
      outcome: null,
      lines: [],
      ...more,
    }
    this.groups.push(group)
    return group
  }

  private current(kind: Group['kind'], index: number): Group {
    const last = this.groups.at(-1)
    return last?.kind === kind ? last : this.open(kind, index)
  }

  /** Who went and who came back. Before the start entries name places, not seats: they are left out. */
  private note(entry: Entry, index: number): void {
    const seat = this.seat(entry.seat)
    const lines: Partial<Record<Entry['kind'], LogLine>> = {
      absent: { key: ABSENT[entry.reason ?? 'left'] ?? 'web.log.left', values: { seat } },
      stand_in_asked: { key: 'web.log.stand_in_asked', values: { seat, target: this.seat(entry.target) } },
      returned: { key: 'web.log.returned', values: { seat } },
      hint_used: { key: HINTS[entry.step ?? 1] ?? 'web.log.hint_3', values: { seat } },
      branched: { key: 'web.log.branched', values: { count: entry.moves ?? 0 } },
      ...(this.round ? { link_renewed: { key: 'web.log.link_renewed', values: { seat } } } : {}),
      closed: { key: 'web.log.closed', values: {} },
    }
    if (entry.kind === 'undone' && entry.seat) this.noteTakenBack(entry.seat, index)
    const line = lines[entry.kind]
    if (line) this.open('note', index, { lines: [line] })
  }

  /** One line for all that was taken back at the same place, with the number so far. */
  private noteTakenBack(seat: number, index: number): void {
    const count = (this.takenBack.get(seat) ?? 0) + 1
    this.takenBack.set(seat, count)
    const line: LogLine = { key: 'web.log.undone', values: { seat: this.seat(seat), count } }
    const last = this.groups.at(-1)
    if (last?.lines.length === 1 && last.lines[0]!.key === 'web.log.undone') last.lines[0] = line
    else this.open('note', index, { lines: [line] })
  }

  private happen(event: GameEvent, entry: Entry, index: number): void {
    switch (event.type) {
      case 'round_started':
        return this.roundStarted(event.number, event.era, index)
      case 'tokens_drawn':
        return this.drawn(event.fields, entry, index)
      case 'field_offered':
        return this.offered(event.seat, event.field, index)
      case 'bid_made':
        return this.add('auction', index, 'web.log.bids', { seat: this.seat(event.seat), talers: event.talers })
      case 'bid_passed':
        return this.add('auction', index, 'web.log.passes', { seat: this.seat(event.seat) })
      case 'field_sold':
      case 'field_claimed':
      case 'field_taken':
        return this.settled(event, entry, index)
      case 'field_developed':
        return this.developed(event, entry, index)
      case 'turn_ended':
        return this.turnEnded(event.seat, index)
      case 'subsidy_taken':
        return this.outOfTurn(index, 'web.log.subsidy', { seat: this.seat(event.seat) })
      case 'tile_cashed':
        return this.cashed(event.seat, event.field, index)
      case 'era_changed':
        return this.eraChanged(event.era, index)
      case 'technology_lapsed':
        return this.lapsed(event.seat, event.field, index)
      case 'points_scored':
        return this.scored(event, index)
    }
  }

  private roundStarted(round: number, era: number, index: number): void {
    this.round = round
    this.era = era
    this.open('round', index, { title: { key: 'web.log.round', values: { round } } })
  }

  private eraChanged(era: number, index: number): void {
    this.era = era
    this.open('era', index, { title: { key: 'web.log.era', values: { era } }, era })
  }

  private offered(seat: number, field: string, index: number): void {
    const outcome: LogLine = { key: 'web.log.open', values: {} }
    const group = this.open('auction', index, { field, fields: [field], outcome })
    group.lines.push({ key: 'web.log.offers', values: { seat: this.seat(seat) } })
  }

  private cashed(seat: number, field: string, index: number): void {
    this.outOfTurn(index, 'web.log.cash', { seat: this.seat(seat), field: this.words.fieldName(field) })
  }

  private scored({ seat, points, part }: Extract<GameEvent, { type: 'points_scored' }>, index: number): void {
    this.add('end', index, 'web.log.scores', { seat: this.seat(seat), points, part })
  }

  private add(kind: Group['kind'], index: number, key: Key, values: LogLine['values']): void {
    this.current(kind, index).lines.push({ key, values })
  }

  /** What happens beside an auction or a development belongs to it. */
  private outOfTurn(index: number, key: Key, values: LogLine['values']): void {
    const last = this.groups.at(-1)
    this.add(last?.kind === 'auction' || last?.kind === 'develop' ? last.kind : 'note', index, key, values)
  }

  /** Another bot decided this; what its move brought about may have opened a new group. */
  private stoodIn(seat: number | null, bot: string, index: number): void {
    this.addToDecision(index, 'web.log.stand_in', { bot: this.words.botName(bot), seat: this.seat(seat) })
  }

  private addToDecision(index: number, key: Key, values: Record<string, Piece>): void {
    const group =
      this.groups.findLast(({ kind }) => kind === 'auction' || kind === 'develop') ?? this.open('note', index)
    group.lines.push({ key, values })
  }

  private drawn(fields: string[], entry: Entry, index: number): void {
    const group = this.current('round', index)
    group.fields = fields
    const coin = entry.events.some((event) => event.type === 'talers_moved' && event.reason === 'coin')
    group.outcome = {
      key: coin ? 'web.log.tokens_coin' : 'web.log.tokens',
      values: { tokens: fields.map((field) => field[1]).join(' ') },
    }
  }

  private settled(
    event: Extract<GameEvent, { type: 'field_sold' | 'field_claimed' | 'field_taken' }>,
    entry: Entry,
    index: number,
  ): void {
    const group = this.current('auction', index)
    if (event.type === 'field_sold') {
      group.outcome = { key: 'web.log.sold_for', values: { talers: event.price } }
      group.lines.push({
        key: 'web.log.sells',
        values: { seat: this.seat(event.seat), buyer: this.seat(event.buyer), talers: event.price },
      })
      return
    }
    const shares = entry.events.flatMap((move) =>
      move.type === 'talers_moved' && move.reason === 'claim' && move.target
        ? [{ list: [{ seat: move.target }, move.amount] }]
        : [],
    )
    group.outcome =
      event.type === 'field_taken' || !shares.length
        ? { key: 'web.log.free', values: {} }
        : { key: 'web.log.claimed_for', values: { talers: event.price } }
    if (event.type === 'field_taken')
      group.lines.push({ key: 'web.log.takes', values: { seat: this.seat(event.seat) } })
    else if (shares.length)
      group.lines.push({ key: 'web.log.claims', values: { seat: this.seat(event.seat), shares: { list: shares } } })
    else group.lines.push({ key: 'web.log.claims_free', values: { seat: this.seat(event.seat) } })
  }

  private developed(event: Extract<GameEvent, { type: 'field_developed' }>, entry: Entry, index: number): void {
    const group = this.current('develop', index)
    group.fields.push(event.field)
    const paid = entry.events.reduce(
      (sum, move) => sum + (move.type === 'talers_moved' && move.source === event.seat ? move.amount : 0),
      0,
    )
    const sources = entry.events.flatMap((move) =>
      move.type === 'resource_provided' ? [this.source(move.resource, move.source)] : [],
    )
    const values = {
      seat: this.seat(event.seat),
      field: this.words.fieldName(event.field),
      paid,
      sources: { list: sources },
      points: event.points,
    }
    const key = event.points
      ? sources.length
        ? 'web.log.develops_points'
        : 'web.log.develops_plain_points'
      : sources.length
        ? 'web.log.develops'
        : 'web.log.develops_plain'
    group.lines.push({ key, values })
  }

  private source(resource: string, source: string): Piece {
    const seat = Number(source)
    return seat ? { list: [{ resource }, { seat }] } : { resource }
  }

  private turnEnded(seat: number, index: number): void {
    const group = this.current('develop', index)
    group.title ??= { key: 'web.log.development', values: {} }
    group.outcome = { key: 'web.log.round', values: { round: this.round } }
    const did = group.lines.some((line) => line.key.startsWith('web.log.develops') && isSeat(line.values['seat'], seat))
    if (!did) group.lines.push({ key: 'web.log.nothing', values: { seat: this.seat(seat) } })
  }

  private lapsed(seat: number, field: string, index: number): void {
    const group = this.groups.at(-1) ?? this.open('era', index)
    group.fields.push(field)
    group.lines.push({ key: 'web.log.lapses', values: { seat: this.seat(seat), field: this.words.fieldName(field) } })
  }
}

function isSeat(piece: Piece | undefined, seat: number): boolean {
  return typeof piece === 'object' && 'seat' in piece && piece.seat === seat
}

/** Builds the whole log at once. */
export function storyOf(entries: readonly Entry[], words: Words): Group[] {
  const builder = new LogBuilder(words)
  for (const { entry, index } of remaining(entries)) builder.addEntry(entry, index)
  return builder.groups
}

/** A log that grows: groups that are complete stay the same objects. */
export class Story {
  private builder: LogBuilder
  private entries: readonly Entry[] = []

  constructor(private readonly words: Words) {
    this.builder = new LogBuilder(words)
  }

  until(entries: readonly Entry[]): Group[] {
    const fresh = entries.slice(this.entries.length)
    const isLonger = this.entries.every((entry, index) => entry === entries[index])
    if (!isLonger || fresh.some((entry) => entry.kind === 'undone')) {
      this.builder = new LogBuilder(this.words)
      for (const { entry, index } of remaining(entries)) this.builder.addEntry(entry, index)
    } else {
      const closed = Math.max(0, this.builder.groups.length - 1)
      fresh.forEach((entry, index) => this.builder.addEntry(entry, this.entries.length + index))
      const { groups } = this.builder
      for (let index = closed; index < groups.length; index++)
        groups[index] = { ...groups[index]!, lines: [...groups[index]!.lines] }
    }
    this.entries = entries
    return [...this.builder.groups]
  }
}
