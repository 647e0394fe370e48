/** These places in the same order, moved as little as needed to be `gap` apart, from `least` to `most`.
 *  Where there is not enough room for all, the first ones stand before `least`. */
export function spread(places: readonly number[], gap: number, least: number, most: number): number[] {
  const order = places.map((_, index) => index).sort((one, other) => places[one]! - places[other]!)
  const moved = [...places]
  let next = least
  for (const index of order) {
    moved[index] = Math.max(moved[index]!, next)
    next = moved[index] + gap
  }
  let last = most
  for (const index of order.toReversed()) {
    moved[index] = Math.min(moved[index]!, last)
    last = moved[index] - gap
  }
  return moved
}
