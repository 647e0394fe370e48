// How strong one plays: the server reviews one's newest games, then says the level over them.
import { ask } from '../lib/api'
import { problemText } from '../lib/errorText'
import type { MyGame } from '../lib/myGames'
import type { LevelFound, ReviewBegun, SeatReview } from '../lib/protocol'
import { placeOf } from '../lib/tally'

/** How many games a level needs. */
export const LEAST = 10
/** No more games than these are reviewed for it. */
export const MOST = 20
const PAUSE = 4000

/** One's newest finished games, each with a single seat of one's own. */
export function countedGames(games: readonly MyGame[]): MyGame[] {
  return games.filter((game) => placeOf(game)).slice(0, MOST)
}

export class MyLevel {
  found: LevelFound | null = $state.raw(null)
  count = $state(0)
  isAsked = $state(false)
  problem = $state('')
  private timer = 0
  private isOver = false

  get isWhole(): boolean {
    return this.found !== null && this.found.whole >= this.count
  }

  /** Let these games be reviewed, then look until all are; a review that exists costs nothing. */
  async begin(games: readonly MyGame[]): Promise<void> {
    this.isAsked = true
    this.problem = ''
    this.count = games.length
    try {
      const seats: SeatReview[] = []
      for (const game of games) {
        const { id } = await ask<ReviewBegun>('reviews', { table: game.id })
        seats.push({ review: id, seat: game.seats[0]! })
      }
      await this.look(seats)
    } catch (error) {
      this.failed(error)
    }
  }

  stop(): void {
    this.isOver = true
    clearTimeout(this.timer)
  }

  private async look(games: SeatReview[]): Promise<void> {
    this.found = await ask<LevelFound>('reviews/level', { games })
    if (!this.isWhole && !this.isOver)
      this.timer = window.setTimeout(() => void this.look(games).catch((error: unknown) => this.failed(error)), PAUSE)
  }

  private failed(error: unknown): void {
    this.problem = problemText(error)
    this.isAsked = false
  }
}
