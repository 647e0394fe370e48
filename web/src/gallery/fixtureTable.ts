// A table from a fixture: it answers questions as the server would have; a move is noted on the page
// and has no consequence.
import type { BoardInfo, Choice, GameView, Prospects, Refusal, Step, TableView, Worth } from '../lib/protocol'
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

/** `seconds` are those that the deciding seat has left; `isLast` makes it the last round of its era. */
export async function tableAt(game: string, state: string, seconds = 0, isLast = false): Promise<Table> {
  const fixture = (await games[`../fixtures/game-${game}.json`]!()).default
  const moment = fixture.states[state]!
  const table = new Table()
  table.board = (await boards[`../fixtures/board-${fixture.table.options.board}.json`]!()).default
  const steps = fixture.steps.slice(0, moment.moves + 1)
  const log = steps.map((step) => step.entry)
  const version = log.at(-1)!.version
  table.attach(wireOf(moment, steps))
  table.linked('open')
  table.welcomed({ seats: [1], reserved: [], host: true, now: Date.now() })
  const drawn = Object.entries(moment.view.tokens).filter(([, place]) => !isLast || place !== 'bag')
  const status = moment.view.phase === 'over' ? 'over' : 'running'
  table.replaced({
    view: {
      ...fixture.table,
      version,
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
