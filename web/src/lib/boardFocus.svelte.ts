// What the player points at on the board.
const HOVER_PAUSE = 280

export class BoardFocus {
  /** The field whose card is open. */
  field: string | null = $state(null)
  /** Stays open until it is closed. */
  isPinned = $state(false)
  /** Fields that the log or a chart points at. */
  pointed: string[] | null = $state.raw(null)
  private timer = 0

  /** Hovering opens after a moment; leaving closes unless it is pinned. */
  hover(field: string | null): void {
    clearTimeout(this.timer)
    if (this.isPinned) return
    if (field) this.timer = window.setTimeout(() => (this.field = field), HOVER_PAUSE)
    else this.field = null
  }

  pin(field: string): void {
    clearTimeout(this.timer)
    const isSame = this.isPinned && this.field === field
    this.isPinned = !isSame
    this.field = isSame ? null : field
  }

  close(): void {
    clearTimeout(this.timer)
    this.isPinned = false
    this.field = null
    this.pointed = null
  }
}
