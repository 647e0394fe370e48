// The board's window, for the button in the header and for the keys: nearer, farther, or whole again.
interface Zooming {
  by: ((step: -1 | 0 | 1) => void) | null
  isNear: boolean
}

export const zooming: Zooming = $state({ by: null, isNear: false })
