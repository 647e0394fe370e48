// Files of game records, as people drop them: TOML is one game, JSON lines are many.
export interface Found {
  /** The text of one game, as the server reads it. */
  text: string
  /** For choosing among many. */
  players: string[]
  points: number[]
  edition: string
}

/** Larger files are not read: no collection that somebody watches by hand is. */
export const MAX_FILE = 50_000_000

let handed: File | null = null

/** Keep a file for the page that shows records, which is opened next. */
export function hand(file: File): void {
  handed = file
}

export function takeHanded(): File | null {
  const file = handed
  handed = null
  return file
}

/** The games in a text; whether they are legal records, the server says. */
export function gamesIn(text: string): Found[] {
  if (!text.trim()) return []
  if (!text.trimStart().startsWith('{')) return [{ text, players: [], points: [], edition: '' }]
  const whole = parsed(text)
  if (whole) return [described(text, whole)]
  const lines = text.split('\n').filter((line) => line.trim())
  return lines.map((line) => described(line, parsed(line) ?? {}))
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

function described(text: string, data: Record<string, unknown>): Found {
  const result = data['result'] as { points?: unknown } | undefined
  return {
    text,
    players: texts(data['players']),
    points: Array.isArray(result?.points) ? result.points.map(Number) : [],
    edition: String(data['edition'] ?? ''),
  }
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}
