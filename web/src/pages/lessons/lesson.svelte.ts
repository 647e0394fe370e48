// One lesson at a table without a game on the server: every action is checked there, none is kept.
import { ask, board } from '../../lib/api'
import { language, nameIn, say } from '../../lib/i18n.svelte'
import type {
  Choice,
  Edition,
  GameView,
  LessonAnswer,
  LessonField,
  LessonView,
  SeatView,
  TableView,
  Yours,
} from '../../lib/protocol'
import { Table } from '../../lib/table.svelte'
import type { Wire } from '../../lib/wire'
import { WITHOUT_SERVER } from '../../lib/withoutServer'
import { markDone } from './course'

const BOTS = [null, 'foreman', 'engineer'] as const

export class Lesson {
  readonly table = new Table()
  /** What the explanation of the last wrong action is called, or the rule's own words. */
  wrong: { says: string } | { refused: string } | null = $state.raw(null)
  isDone = $state(false)

  private constructor(readonly view: LessonView) {}

  static async open(edition: Edition, name: string): Promise<Lesson> {
    const view = await ask<LessonView>(`lessons/${edition}/${name}`)
    const lesson = new Lesson(view)
    const { table } = lesson
    table.board = await board(edition, view.board_hash)
    table.attach(lesson.wire())
    table.linked('open')
    table.welcomed({ seats: [view.seat], reserved: [], host: false, now: Date.now() })
    table.replaced({ view: lesson.tableView(view.game), yours: lesson.yours(view.legal, view.choices), log: view.log })
    return lesson
  }

  /** The field names and numbers that the words of this lesson speak of. */
  get values(): Record<string, string | number> {
    const named = Object.entries(this.view.names).map(([key, field]) => [key, nameIn(this.table.field(field).name)])
    return { ...this.view.numbers, ...Object.fromEntries(named) }
  }

  private get path(): string {
    return `lessons/${this.view.edition}/${this.view.name}`
  }

  private answer(line: string): Promise<LessonAnswer> {
    return ask(this.path, { line, language: language() })
  }

  private async act(line: string): Promise<number> {
    const answer = await this.answer(line)
    if (!answer.right) {
      this.wrong = answer.refusal ? { refused: answer.refusal.wrong } : { says: answer.says ?? 'any' }
      return this.table.view.version
    }
    this.wrong = null
    this.isDone = true
    markDone(this.view.edition, this.view.name)
    this.table.grown(answer.steps, this.yours([], []))
    return this.table.view.version
  }

  private wire(): Wire {
    const version = (): number => this.table.view.version
    return {
      move: (_, line) => this.act(line),
      command: async () => version(),
      standIn: async () => version(),
      say: () => undefined,
      hurry: () => undefined,
      steps: async () => [],
      why: async (line) => ({
        type: 'why',
        id: 'x',
        version: version(),
        refusal: (await this.answer(line)).refusal,
      }),
      worth: async (field) => ({
        type: 'field',
        id: 'x',
        version: version(),
        field,
        ...(await ask<LessonField>(`${this.path}/worth/${field}`)),
      }),
      close: () => undefined,
    }
  }

  private yours(legal: string[], choices: Choice[]): Yours[] {
    return [{ seat: this.view.seat, legal, can_undo: false, hand: [], choices, orders: null }]
  }

  private tableView(game: GameView): TableView {
    return {
      table: '',
      version: game.moves,
      status: 'running',
      options: {
        edition: this.view.edition,
        players: 3,
        board: this.view.edition,
        rules: {},
        seating: 'as_joined',
        undo: 'off',
        auto_forced: false,
        clock: 'none',
        zombie: 'passive',
        patience: 'never',
        chat: false,
        listed: false,
        daily: '',
        rated: false,
        hints: 'off',
        what_if: false,
        cup: '',
        duplicate: false,
      },
      board_hash: this.view.board_hash,
      seats: BOTS.map(seatOf),
      ...WITHOUT_SERVER,
      game,
    }
  }
}

function seatOf(bot: string | null, index: number): SeatView {
  return {
    seat: index + 1,
    kind: bot ? 'bot' : 'human',
    name: bot ?? say('pages.me'),
    bot,
    bot_number: bot ? 1 : null,
    absent: false,
    claimed: !bot,
    person: null,
    taken_back: 0,
    hints: 0,
  }
}
