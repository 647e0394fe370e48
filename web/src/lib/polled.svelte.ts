// What is asked for again and again while somebody looks: lists of tables and of one's own games.
import { Refused } from './api'

export class Polled<T> {
  value: T | null = $state.raw(null)
  /** Why the last question was not answered; the answer before it stays. */
  problem: Refused | null = $state.raw(null)
  private timer = 0
  private isAsking = false

  constructor(
    private readonly ask: () => Promise<T>,
    private readonly every: number,
  ) {}

  /** Ask now and from now on; returns what ends it. For use as an effect. */
  start(): () => void {
    const look = (): void => {
      if (!document.hidden) void this.now()
    }
    look()
    this.timer = window.setInterval(look, this.every)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(this.timer)
      document.removeEventListener('visibilitychange', look)
    }
  }

  async now(): Promise<void> {
    if (this.isAsking) return
    this.isAsking = true
    try {
      this.value = await this.ask()
      this.problem = null
    } catch (error) {
      this.problem = error instanceof Refused ? error : new Refused('internal')
    } finally {
      this.isAsking = false
    }
  }
}
