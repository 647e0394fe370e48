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
  StatementDraft,
  Trouble,
} from '../lib/protocol'
import { marked, unstated, withSource, type Mark, type Stated } from './provenance'

/** Where entered values come from. */
export type Mode = 'printed' | 'own'
type Value = keyof Omit<FieldDraft, 'id' | 'provenance'>

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

export class EditorState {
  sheet: Sheet | null = $state.raw(null)
  draft: BoardDraft | null = $state.raw(null)
  checked: Checked | null = $state.raw(null)
  /** Why the file cannot be edited. */
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
    this.print ||= sheet.draft.sources.find((source) => source.kind === 'print')?.title ?? ''
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

  private changeField(field: FieldDraft, tag = '', sources = this.draft!.sources): void {
    const fields = this.draft!.fields.map((other) => (other.id === field.id ? field : other))
    this.change({ ...this.draft!, sources, fields }, tag)
  }

  private stated(of: Pick<Stated, 'provenance'>): Stated {
    return { sources: this.draft!.sources, provenance: of.provenance }
  }

  /** Enter a value; it counts as printed or as one's own, whatever it was before. */
  enter<K extends Value>(id: string, key: K, value: FieldDraft[K]): void {
    const entered = { ...this.field(id), [key]: value }
    const field = key === 'kind' ? this.fitting(entered) : entered
    const { sources, provenance } = this.entered(this.stated(field), key)
    this.changeField({ ...field, provenance }, `${id} ${key}`, sources)
  }

  private entered(stated: Stated, key: string): Stated {
    const free = unstated(stated, key)
    return this.mode === 'printed' ? marked(free, key, 'printed', this.print) : free
  }

  /** Without the values that a field of its kind does not have. */
  private fitting(field: FieldDraft): FieldDraft {
    const values = this.sheet!.values[field.kind]!
    let found = field
    for (const key of Object.keys(NOTHING) as (keyof typeof NOTHING)[]) {
      if (values.includes(key)) continue
      const { provenance } = unstated(this.stated(found), key)
      found = { ...found, [key]: NOTHING[key], provenance }
    }
    return found
  }

  mark(id: string, key: string, mark: Mark): void {
    const field = this.field(id)
    const { sources, provenance } = marked(this.stated(field), key, mark, this.print)
    this.changeField({ ...field, provenance }, '', sources)
  }

  /** Say which source a statement about a field is from; a title that is not known makes a new source. */
  setSource(id: string, index: number, title: string): void {
    const stated = this.stated(this.field(id))
    const named = title.trim() ? withSource(stated, 'report', title.trim()) : { ...stated, source: '' }
    this.changeStatement(id, index, { source: named.source }, '', named.sources)
  }

  setNote(id: string, index: number, note: string): void {
    this.changeStatement(id, index, { note }, `${id} note ${index}`)
  }

  private changeStatement(
    id: string,
    index: number,
    change: Partial<StatementDraft>,
    tag: string,
    sources = this.draft!.sources,
  ): void {
    const field = this.field(id)
    const statement = { ...field.provenance[index]!, ...change }
    const kept = statement.values.length || statement.note || statement.source
    const provenance = kept ? field.provenance.with(index, statement) : field.provenance.toSpliced(index, 1)
    this.changeField({ ...field, provenance }, tag, sources)
  }

  setCoin(letter: string): void {
    const coin = this.entered(this.stated(this.draft!), 'coin_columns')
    this.change({ ...this.draft!, ...coin, coin_columns: letter ? [letter] : [] })
  }

  markCoin(mark: Mark): void {
    this.change({ ...this.draft!, ...marked(this.stated(this.draft!), 'coin_columns', mark, this.print) })
  }

  setStatus(status: BoardDraft['status']): void {
    this.change({ ...this.draft!, status })
  }

  addLink(first: string, second: string): void {
    const { sources, provenance } = this.entered(this.stated({ provenance: [] }), 'ends')
    const link = { ends: [first, second] as [string, string], note: '', provenance }
    this.change({ ...this.draft!, sources, links: [...this.draft!.links, link] })
  }

  removeLink(link: LinkDraft): void {
    this.change({ ...this.draft!, links: this.draft!.links.filter((other) => other !== link) })
  }

  markLink(link: LinkDraft, mark: Mark): void {
    const { sources, provenance } = marked(this.stated(link), 'ends', mark, this.print)
    const links = this.draft!.links.map((other) => (other === link ? { ...link, provenance } : other))
    this.change({ ...this.draft!, sources, links })
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
