// How far the log is shown. What others did is shown one entry after the other, each for its pause,
// whether it came alone or with others; skipping is always possible, and one's own moves never wait.
import type { History } from './history.svelte'
import { readLine } from './notation'
import { prefs, type Pace } from './prefs.svelte'
import type { Entry, GameView } from './protocol'

const PAUSES: Record<Pace, number> = { instant: 0, fast: 250, brisk: 650, steady: 1300, leisurely: 2600 }
/** Between one's own move and the first answer to it. */
const BEAT = 250
/** While one's own clock runs, nothing that others did holds one up for longer. */
const PAUSE_ON_CLOCK = 300
/** Beyond this, playing back would only delay: then all is shown at once. */
const MOST_PLAYED_BACK = 60

export class Playback {
  /** How many entries of the log are shown by now. */
  shownCount = $state(0)
  /** The entry that is being shown, for movement and for the live region. */
  happening: Entry | null = $state.raw(null)
  /** What was shown last still has its pause. */
  private isResting = $state(false)
  /** Nothing is played back until this screen has to decide. */
  private isSkipping = false
  private timer = 0

  /** `arrived` is called whenever everything is shown; it returns whether that ends the skipping. */
  constructor(
    private readonly history: History,
    private readonly isMine: (seat: number | null) => boolean,
    private readonly arrived: () => boolean,
  ) {}

  readonly isCaughtUp: boolean = $derived.by(() => this.shownCount >= this.history.log.length && !this.isResting)
  /** The game as far as it is shown. */
  readonly game: GameView | null = $derived.by(() =>
    this.isCaughtUp ? (this.history.view?.game ?? null) : this.history.gameAfter(this.shownCount),
  )
  /** The entries as far as they are shown. */
  readonly entries: Entry[] = $derived.by(() =>
    this.isCaughtUp ? this.history.log : this.history.log.slice(0, this.shownCount),
  )

  /** The log has become longer. */
  follow(steps: number): void {
    const { log } = this.history
    const isTakenBack = log.slice(log.length - steps).some((entry) => entry.kind === 'undone')
    const isQuick = this.isSkipping || prefs.pace === 'instant' || document.hidden
    const isLong = log.length - this.shownCount > MOST_PLAYED_BACK
    if (isTakenBack || isQuick || isLong || !this.history.gameAfter(this.shownCount)) this.catchUp()
    else if (!this.timer) this.step()
  }

  /** Show everything at once, and what comes until this screen has to decide. */
  skip(isPlaying: boolean): void {
    this.isSkipping = isPlaying
    this.catchUp()
  }

  catchUp(): void {
    this.stop()
    this.isResting = false
    this.shownCount = this.history.log.length
    this.happening = this.history.log.at(-1) ?? null
    this.arrive()
  }

  /** Shows again what happened after `count` entries; their views are known. */
  playFrom(count: number): void {
    this.stop()
    this.shownCount = count
    this.step()
  }

  stop(): void {
    clearTimeout(this.timer)
    this.timer = 0
  }

  private step(): void {
    this.timer = 0
    this.isResting = false
    const entry = this.history.log[this.shownCount]
    if (!entry) {
      this.arrive()
      return
    }
    this.shownCount += 1
    this.happening = entry
    const pause = this.pauseAfter(entry)
    this.isResting = pause > 0
    if (this.isCaughtUp) this.arrive()
    else this.timer = window.setTimeout(() => this.step(), pause)
  }

  private arrive(): void {
    if (this.arrived()) this.isSkipping = false
  }

  /** Only moves of others have a pause; one's own decision has just a beat before the answer
   * of somebody else; a turn that ends by itself is shown like the moves of others. */
  private pauseAfter(entry: Entry): number {
    if (entry.kind !== 'move' || !entry.line) return 0
    const { view } = this.history
    const isMyTurn = this.isMine(view.game?.actor ?? null)
    if (this.isMine(entry.seat) && entry.how === 'player') {
      return isMyTurn ? 0 : Math.min(PAUSES[prefs.pace], BEAT)
    }
    const pause = PAUSES[prefs.pace] * weightOf(entry.line)
    return view.options.clock === 'live' && isMyTurn ? Math.min(pause, PAUSE_ON_CLOCK) : pause
  }
}

/** How long a move is shown, compared with a bid. */
function weightOf(line: string): number {
  const { verb } = readLine(line)
  if (verb === 'pass' || verb === 'done') return 0.6
  return verb === 'draw' || verb === 'develop' ? 1.3 : 1
}
