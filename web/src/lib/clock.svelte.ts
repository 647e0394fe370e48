// How long the deciding seat has until it is played for.
import { say } from './i18n.svelte'
import type { Table } from './table.svelte'

/** From here on one's own clock warns. */
export const WARNING = 10

export class TimeOf {
  #now = $state(Date.now())
  readonly #table: () => Table
  readonly #seat: () => number

  constructor(table: () => Table, seat: () => number) {
    this.#table = table
    this.#seat = seat
    $effect(() => {
      if (!this.deadline) return
      this.#now = Date.now()
      const timer = setInterval(() => (this.#now = Date.now()), 250)
      return () => clearInterval(timer)
    })
  }

  get deadline(): number | null {
    const view = this.#table().view
    return view.game?.actor === this.#seat() ? view.clock.deadline : null
  }

  get seconds(): number {
    return this.deadline ? Math.max(0, Math.round((this.deadline - this.#now - this.#table().skew) / 1000)) : 0
  }

  get isShort(): boolean {
    return this.deadline !== null && this.seconds <= WARNING
  }

  get shown(): string {
    const left = this.seconds
    if (left >= 172_800) return say('web.clock.days', { count: Math.floor(left / 86_400) })
    if (left >= 7_200) return say('web.clock.hours', { count: Math.floor(left / 3_600) })
    return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
  }
}
