// A table from a fixture: it answers questions as the server would have; a move is noted on the page
// and has no consequence.
import type { BoardInfo, Choice, GameView, Prospects, Refusal, SeatView, Step, TableView, Worth } from '../lib/protocol'
import { Table } from '../lib/table.svelte'
import type { Wire } from '../lib/wire'

interface Moment {
  moves: number
  view: GameView
  legal: string[]
  choices: Choice[]
  worth: Record<string, Worth[]>
  prospects: Record<string, Prospects>
  why: Record<string, Refusal>
}
interface Fixture {
  table: TableView
  steps: Step[]
  states: Record<string, Moment>
}

const games = import.meta.glob<{ default: Fixture }>('../fixtures/game-*.json')
const boards = import.meta.glob<{ default: BoardInfo }>('../fixtures/board-*.json')

/** The fixture knows one way per field; another way was refused for a like reason. */
function nearest(moment: Moment, line: string): Refusal | null {
  const start = line.split(' ').slice(0, 3).join(' ')
  const known = Object.keys(moment.why).find((other) => other.startsWith(start))
  return known ? moment.why[known]! : null
}

/** Answers every question from the fixture. */
function wireOf(moment: Moment, steps: Step[]): Wire {
  const version = steps.at(-1)!.entry.version
  return {
    move: async (_, line) => {
      document.documentElement.dataset['sent'] = line
      return version
    },
    command: async () => version,
    hurry: () => undefined,
    say: () => undefined,
    standIn: async () => version,
    orders: { set: async () => 1, try: () => Promise.reject(new Error('no server')) },
    steps: async (after) => steps.filter((step) => step.entry.version > after),
    why: async (line) => ({ type: 'why', id: 'x', version, refusal: moment.why[line] ?? nearest(moment, line) }),
    worth: async (field) => ({
      type: 'field',
      id: 'x',
      version,
      field,
      worth: moment.worth[field]!,
      prospects: moment.prospects[field]!,
      claim_limit: moment.view.auction?.field === field ? 7 : null,
    }),
    close: () => undefined,
  }
}

interface Variant {
  /** What the deciding seat has left. */
  seconds?: number
  /** Whether it is the last round of its era. */
  isLast?: boolean
  /** Whether the other seats are bots under their own names, which are longer than those of the fixture. */
  withBots?: boolean
}

function againstBots(seat: SeatView): SeatView {
  return seat.seat === 1
    ? seat
    : { ...seat, kind: 'bot', name: `Foreman ${seat.seat}`, bot: 'foreman', bot_number: seat.seat }
}

export async function tableAt(
  game: string,
  state: string,
  { seconds = 0, isLast = false, withBots = false }: Variant = {},
): Promise<Table> {
  const fixture = (await games[`../fixtures/game-${game}.json`]!()).default
  const moment = fixture.states[state]!
  const table = new Table()
  table.board = (await boards[`../fixtures/board-${fixture.table.options.board}.json`]!()).default
  const steps = fixture.steps.slice(0, moment.moves + 1)
  const log = steps.map((step) => step.entry)
  table.attach(wireOf(moment, steps))
  table.linked('open')
  table.welcomed({ seats: [1], reserved: [], host: true, now: Date.now() })
  const drawn = Object.entries(moment.view.tokens).filter(([, place]) => !isLast || place !== 'bag')
  const status = moment.view.phase === 'over' ? 'over' : 'running'
  table.replaced({
    view: {
      ...fixture.table,
      seats: fixture.table.seats.map(withBots ? againstBots : (seat) => seat),
      version: log.at(-1)!.version,
      status,
      game: { ...moment.view, tokens: Object.fromEntries(drawn) },
      hints: status === 'running',
      ...(seconds ? { clock: { ...fixture.table.clock, deadline: Date.now() + seconds * 1000 } } : {}),
    },
    yours: [
      {
        seat: 1,
        legal: moment.legal,
        can_undo: state === 'develop',
        hand: [],
        choices: moment.choices,
        orders: null,
      },
    ],
    log,
  })
  return table
}
