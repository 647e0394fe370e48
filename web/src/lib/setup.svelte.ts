// A table that is being set up: who sits where, and what is agreed.
import { commandId, makeTable, randomness } from './api'
import { MIXED } from './bots'
import { learnClub } from './club.svelte'
import { problemText } from './errorText'
import { holdSeats, invite } from './seatTokens'
import { say } from './i18n.svelte'
import { prefer, prefs } from './prefs.svelte'
import { go } from './router.svelte'
import { MAX_PLAYER_NAME, type Edition, type SeatWish, type TableOptions } from './protocol'

/** `human`, `open`, `reserved` or `bot:NAME`. */
export type Sitter = string

export interface SeatDraft {
  sitter: Sitter
  name: string
}

export type TableChoice = 'seating' | 'undo' | 'hints' | 'clock' | 'zombie' | 'patience'
type Agreed = Pick<TableOptions, TableChoice>

/** Values of the options, the default first; the same names as in the catalogue. */
export const TABLE_CHOICES: { [K in TableChoice]: readonly TableOptions[K][] } = {
  clock: ['none', 'live', 'days'],
  undo: ['own_last', 'off'],
  seating: ['random', 'as_joined'],
  zombie: ['passive', 'bot'],
  patience: ['10m', '2m', '1h', '1d', 'never'],
  hints: ['auto', 'on', 'off'],
}
export const RULE_CHOICES: Record<Edition, Record<string, readonly string[]>> = {
  industry: {
    late_draws: ['recommended', 'plain'],
    claim_afford: ['net', 'full_price'],
    subsidy_timing: ['own_decision', 'any_time'],
  },
  industria: {
    industria_hands: ['open', 'closed'],
    industria_resource_cash: ['off', 'on'],
  },
}

/** What a rated game has in common with all others. */
const RATED = { rated: true, undo: 'off', hints: 'off', board: '', rules: {} } as const

export class SetUp {
  edition: Edition = $state('industry')
  players: 3 | 4 = $state(4)
  /** A game that can begin at once; to invite others, open a seat. */
  seats: SeatDraft[] = $state(againstBots(MIXED))
  board = $state('')
  agreed: Agreed = $state({
    seating: 'random',
    undo: 'own_last',
    hints: 'auto',
    clock: 'none',
    zombie: 'passive',
    patience: '10m',
  })
  autoForced = $state(true)
  listed = $state(false)
  chat = $state(true)
  isRated = $state(false)
  rules: Record<string, string> = $state({})
  isMaking = $state(false)
  problem = $state('')

  readonly seated: SeatDraft[] = $derived(this.seats.slice(0, this.players))
  readonly people: number = $derived(this.seated.filter((seat) => seat.sitter === 'human').length)
  readonly hasOpen: boolean = $derived(this.seated.some((seat) => seat.sitter === 'open' || seat.sitter === 'reserved'))

  get options(): TableOptions {
    const names = Object.keys(RULE_CHOICES[this.edition])
    const rules = Object.fromEntries(Object.entries(this.rules).filter(([name]) => names.includes(name)))
    return {
      daily: '',
      what_if: false,
      cup: '',
      duplicate: false,
      ...this.agreed,
      edition: this.edition,
      players: this.players,
      board: this.board,
      auto_forced: this.autoForced,
      listed: this.listed,
      chat: this.chat,
      rules,
      rated: false,
      ...(this.isRated && RATED),
    }
  }

  /** Makes the table, keeps its secrets and goes there; what prevents it is in `problem`. */
  readonly open = async (event: Event): Promise<void> => {
    event.preventDefault()
    this.isMaking = true
    this.problem = ''
    const own = this.seated.find((seat) => seat.sitter === 'human')?.name.trim()
    if (own) prefer({ name: own })
    try {
      go(`/table/${await openTable(this.options, this.seated)}`)
    } catch (error) {
      this.problem = problemText(error)
      this.isMaking = false
    }
  }
}

/** Make a table with these people and bots, keep its secrets and tell its id. */
export async function openTable(options: Partial<TableOptions>, seats: readonly SeatDraft[]): Promise<string> {
  const { me } = await learnClub()
  const wish = { id: commandId(), options, seats: seats.map(wishOf) }
  const own = wish.seats.find((seat) => seat.kind === 'human')
  if (me && own) own.as_person = true
  const made = await makeTable(wish)
  const additions = Object.fromEntries(
    wish.seats.flatMap(({ randomness: own }, index) => (own ? [[index + 1, own]] : [])),
  )
  holdSeats(made.table, made.seats, made.host, additions)
  invite(made.table, made.reserved)
  return made.table
}

/** A game against bots at once: one person, and bots of the given names (two or three). */
export function playNow(edition: Edition, bots: readonly string[] = MIXED): Promise<string> {
  const seats = againstBots(bots)
  return openTable({ edition, players: seats.length === 3 ? 3 : 4 }, seats)
}

function againstBots(bots: readonly string[]): SeatDraft[] {
  return [{ sitter: 'human', name: prefs.name }, ...bots.map((bot) => ({ sitter: `bot:${bot}`, name: '' }))]
}

function wishOf(seat: SeatDraft, index: number): SeatWish {
  if (seat.sitter === 'open' || seat.sitter === 'reserved') return { kind: seat.sitter }
  if (seat.sitter !== 'human') return { kind: 'bot', bot: seat.sitter.slice('bot:'.length) }
  const name = seat.name.trim().slice(0, MAX_PLAYER_NAME)
  return { kind: 'human', name: name || nameless(index), randomness: randomness() }
}

function nameless(index: number): string {
  return index === 0 ? say('pages.me') : say('pages.person', { seat: index + 1 })
}
