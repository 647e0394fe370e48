// The board that is being entered: its draft, what is wrong with it, and the way back.
import { ask, Refused } from '../lib/api'
import type {
  BoardDraft,
  Check,
  Checked,
  FieldDraft,
  LinkDraft,
  Opened,
  Save,
  Saved,
  Sheet,
  Trouble,
} from '../lib/protocol'
import { marked, type Mark } from './provenance'

/** Where entered values come from. */
export type Mode = 'printed' | 'own'
type Value = keyof Omit<FieldDraft, 'id' | 'printed' | 'print' | 'attested' | 'source'>

const CHECK_PAUSE = 180
const MOST_STEPS = 500
const NOTHING: Pick<FieldDraft, Exclude<Value, 'kind' | 'name'>> = {
  cost: 0,
  needs: [],
  makes: null,
  points: 0,
  discount: 0,
  networks: [],
  joker: null,
  bonus: null,
}

export class Desk {
  sheet: Sheet | null = $state.raw(null)
  draft: BoardDraft | null = $state.raw(null)
  checked: Checked | null = $state.raw(null)
  /** Why there is no sheet. */
  refused: Opened['problems'] | 'token' | 'unreachable' | null = $state.raw(null)
  trouble: { trouble: Trouble | 'unreachable'; detail: string; name: string } | null = $state.raw(null)
  mode: Mode = $state('printed')
  /** Which print is before the person. */
  print = $state('')
  isSaving = $state(false)
  /** How often the file was written from this page. */
  saves = $state(0)
  private past: BoardDraft[] = $state.raw([])
  private future: BoardDraft[] = $state.raw([])
  private kept: BoardDraft | null = $state.raw(null)
  private last = ''
  private timer = 0
  private asked = 0

  readonly canUndo: boolean = $derived(this.past.length > 0)
  readonly canRedo: boolean = $derived(this.future.length > 0)
  readonly isDirty: boolean = $derived(this.draft !== this.kept)

  constructor(private readonly token: string) {}

  async open(name = ''): Promise<void> {
    try {
      const opened = await this.ask<Opened>(name ? `sheet?name=${name}` : 'sheet')
      if (!opened.sheet) {
        this.refused = opened.problems
        return
      }
      if (this.draft) this.past = [...this.past, this.draft]
      this.lay(opened.sheet)
    } catch (error) {
      this.refused = error instanceof Refused && error.code === 'unreachable' ? 'unreachable' : 'token'
    }
  }

  private lay(sheet: Sheet): void {
    this.refused = null
    this.sheet = sheet
    this.draft = sheet.draft
    this.kept = sheet.draft
    this.print ||= sheet.draft.fields.find((field) => field.print)?.print ?? ''
    void this.check()
  }

  field(id: string): FieldDraft {
    return this.draft!.fields.find((field) => field.id === id)!
  }

  // Changes

  /** Steps with the same tag in a row are one: the letters of a word. */
  private change(draft: BoardDraft, tag = ''): void {
    if (!tag || tag !== this.last) this.past = [...this.past.slice(-MOST_STEPS), this.draft!]
    this.future = []
    this.last = tag
    this.draft = draft
    this.checkSoon()
  }

  private changeField(field: FieldDraft, tag = ''): void {
    this.change(
      { ...this.draft!, fields: this.draft!.fields.map((other) => (other.id === field.id ? field : other)) },
      tag,
    )
  }

  /** Enter a value; it counts as printed or as one's own, whatever it was before. */
  enter<K extends Value>(id: string, key: K, value: FieldDraft[K]): void {
    const field = { ...this.field(id), [key]: value }
    const mark: Mark = this.mode === 'printed' ? 'printed' : 'ours'
    this.changeField(marked(key === 'kind' ? this.fitting(field) : field, key, mark, this.print), `${id} ${key}`)
  }

  /** Without the values that a field of its kind does not have. */
  private fitting(field: FieldDraft): FieldDraft {
    const values = this.sheet!.values[field.kind]!
    let found = field
    for (const key of Object.keys(NOTHING) as (keyof typeof NOTHING)[]) {
      if (!values.includes(key)) found = marked({ ...found, [key]: NOTHING[key] }, key, 'ours', '')
    }
    return found
  }

  mark(id: string, key: string, mark: Mark): void {
    this.changeField(marked(this.field(id), key, mark, this.print))
  }

  setSource(id: string, source: string): void {
    this.changeField({ ...this.field(id), source }, `${id} source`)
  }

  setCoin(letter: string): void {
    const printed = this.mode === 'printed'
    this.change({ ...this.draft!, coin_columns: letter ? [letter] : [], coin_note: '', coin_printed: printed })
  }

  markCoin(printed: boolean): void {
    this.change({ ...this.draft!, coin_note: printed ? '' : this.draft!.coin_note, coin_printed: printed })
  }

  setStatus(status: BoardDraft['status']): void {
    this.change({ ...this.draft!, status })
  }

  addLink(first: string, second: string): void {
    this.change({
      ...this.draft!,
      links: [...this.draft!.links, { ends: [first, second], note: '', printed: this.mode === 'printed' }],
    })
  }

  removeLink(link: LinkDraft): void {
    this.change({ ...this.draft!, links: this.draft!.links.filter((other) => other !== link) })
  }

  markLink(link: LinkDraft, printed: boolean): void {
    this.change({
      ...this.draft!,
      links: this.draft!.links.map((other) => (other === link ? { ...link, printed } : other)),
    })
  }

  /** The next change is a step of its own. */
  pause(): void {
    this.last = ''
  }

  undo(): void {
    this.step('past', 'future')
  }

  redo(): void {
    this.step('future', 'past')
  }

  private step(from: 'past' | 'future', to: 'past' | 'future'): void {
    const draft = this[from].at(-1)
    if (!draft) return
    this[from] = this[from].slice(0, -1)
    this[to] = [...this[to], this.draft!]
    this.draft = draft
    this.last = ''
    this.checkSoon()
  }

  // The server

  private ask<T>(path: string, body?: object): Promise<T> {
    return ask<T>(`editor/${path}`, body, this.token)
  }

  private checkSoon(): void {
    clearTimeout(this.timer)
    this.timer = window.setTimeout(() => void this.check(), CHECK_PAUSE)
  }

  private async check(): Promise<void> {
    const number = ++this.asked
    const wish: Check = { name: this.sheet!.name, draft: this.draft! }
    try {
      const checked = await this.ask<Checked>('check', wish)
      if (number !== this.asked) return
      this.checked = checked
      if (this.trouble?.trouble === 'unreachable') this.trouble = null
    } catch {
      this.trouble = { trouble: 'unreachable', detail: '', name: wish.name }
    }
  }

  /** Write the draft to its file, or to another one in the same folder. */
  async save(name = this.sheet!.name): Promise<void> {
    if (this.isSaving) return
    this.isSaving = true
    const draft = this.draft!
    const wish: Save = { name, stamp: this.sheet!.stamp, draft }
    try {
      const { trouble, detail, stamp } = await this.ask<Saved>('save', wish)
      this.trouble = trouble ? { trouble, detail, name } : null
      if (!trouble) {
        const file = this.sheet!.file.replace(/[^/\\]*$/, `${name}.toml`)
        this.sheet = { ...this.sheet!, name, file, stamp, origin: '' }
        this.kept = draft
        this.saves += 1
      }
    } catch {
      this.trouble = { trouble: 'unreachable', detail: '', name }
    } finally {
      this.isSaving = false
    }
  }
}
