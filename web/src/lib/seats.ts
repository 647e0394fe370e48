// Seats have a colour, a letter and a pattern: never the colour alone.
export const LETTERS = ['A', 'B', 'C', 'D'] as const
export const ROMAN = ['I', 'II', 'III', 'IV', 'V'] as const

export function letterOf(seat: number): string {
  return LETTERS[seat - 1] ?? '?'
}

export function roman(era: number): string {
  return ROMAN[era - 1] ?? String(era)
}

/** How the curve of each seat is stroked. */
export const DASHES = ['', '7 4', '1.5 4.5', '9 3.5 1.5 3.5'] as const
