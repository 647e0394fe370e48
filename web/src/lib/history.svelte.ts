// What this screen knows of a table: its log, and the view after every entry that it has seen.
import { remaining } from './gameLog'
import type { Entry, GameView, Step, TableView } from './protocol'
import { applied } from './steps'

/** Returns the steps after a version, some at a time; none at the end. */
export type AskSteps = (after: number) => Promise<Step[]>

export class History {
  /** All entries, from the first on. */
  log: Entry[] = $state.raw([])
  /** The table after the last of them. */
  view: TableView = $state.raw()!
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- a version never changes
  private readonly views = new Map<number, TableView>()

  /** Takes over a table as it is now; views of earlier versions stay true. */
  replace(view: TableView, log: Entry[]): void {
    this.view = view
    this.log = log
    this.views.set(view.version, view)
  }

  /** Takes over what has happened since. */
  grow(steps: readonly Step[]): void {
    this.view = this.keep(this.view, steps)
    this.log = [...this.log, ...steps.map((step) => step.entry)]
  }

  /** Returns the game after `count` entries; null where there was none or it was not seen here. */
  gameAfter(count: number): GameView | null {
    const entry = this.log[count - 1]
    return (entry && this.views.get(entry.version)?.game) ?? null
  }

  /** From which entry on it can be shown again: after the start and what was taken back last. */
  get firstShown(): number {
    const isBefore = (entry: Entry): boolean => entry.kind === 'undone' || entry.kind === 'started'
    return this.log.findLastIndex(isBefore) + 1
  }

  /** Fetches the views up to the one after `count` entries, unless they are known. */
  async recall(count: number, ask: AskSteps): Promise<void> {
    if (this.gameAfter(count)) return
    const last = this.log[count - 1]?.version ?? 0
    let view = { game: null } as TableView
    while ((view.version ?? 0) < last) {
      const steps = await ask(view.version ?? 0)
      if (!steps.length) return
      view = this.keep(view, steps)
    }
  }

  /** Returns the first `count` entries without those that were taken back. */
  standing(count: number): Entry[] {
    return remaining(this.log.slice(0, count)).map(({ entry }) => entry)
  }

  private keep(view: TableView, steps: readonly Step[]): TableView {
    let now = view
    for (const step of steps) {
      now = applied(now, step)
      this.views.set(now.version, now)
    }
    return now
  }
}
