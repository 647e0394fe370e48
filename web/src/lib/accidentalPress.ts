// Presses of pointer and keyboard, as far as needed to know a slip: the second press of a double
// click that meets a decision which has only just appeared, or a key that is held down.

/** Milliseconds for which a new decision is safe from a press that repeats the last one. */
export const SETTLING = 400
/** Pixels within which two presses are at the same place. */
const SAME_PLACE = 24
/** A press that began longer ago did not cause what happens now; assistive tools may act without any. */
const RECENT = 1_000

interface Press {
  at: number
  /** Of a pointer. */
  place: [number, number] | null
  /** Of the keyboard. */
  key: string
  isRepeat: boolean
}

let last: Press | null = null
let before: Press | null = null

function note(press: Press): void {
  before = last
  last = press
}

if (typeof window !== 'undefined') {
  addEventListener(
    'pointerdown',
    (event) => note({ at: performance.now(), place: [event.clientX, event.clientY], key: '', isRepeat: false }),
    true,
  )
  addEventListener(
    'keydown',
    (event) => note({ at: performance.now(), place: null, key: event.key, isRepeat: event.repeat }),
    true,
  )
}

function isSame(one: Press, other: Press): boolean {
  if (one.place && other.place)
    return Math.hypot(one.place[0] - other.place[0], one.place[1] - other.place[1]) <= SAME_PLACE
  return one.key !== '' && one.key === other.key
}

/** Whether the press that is being carried out cannot be meant for what appeared at `since`. */
export function isSlip(since: number): boolean {
  if (!last || performance.now() - last.at > RECENT) return false
  if (last.isRepeat || last.at < since) return true
  return last.at - since < SETTLING && before !== null && before.at < since && isSame(before, last)
}
