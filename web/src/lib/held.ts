// The seats that are held in this browser: their secrets, by table.
import type { HeldSeat } from './protocol'

export interface Held {
  table: string
  /** One token per seat that is played at this screen. */
  tokens: string[]
  host: string | null
  /** When it was last opened, to list the newest first. */
  seen: number
}

const PLACE = 'industry.seats'
const MOST = 100

function read(): Held[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(PLACE) ?? '[]')
    return Array.isArray(found) ? (found as Held[]) : []
  } catch {
    return []
  }
}

function write(all: Held[]): void {
  try {
    localStorage.setItem(PLACE, JSON.stringify(all.slice(0, MOST)))
  } catch {
    // without storage the link with the secret is the only key
  }
}

/** All tables with seats held here, the one opened last first. */
export function heldTables(): Held[] {
  return read()
}

export function heldAt(table: string): Held | null {
  return read().find((held) => held.table === table) ?? null
}

/** Keep the secrets of a table, together with those that are known already. */
export function hold(table: string, tokens: readonly string[], host: string | null = null): Held {
  const all = read()
  const known = all.find((held) => held.table === table)
  const held: Held = {
    table,
    tokens: [...new Set([...(known?.tokens ?? []), ...tokens])].slice(0, 4),
    host: host ?? known?.host ?? null,
    seen: Date.now(),
  }
  write([held, ...all.filter((other) => other.table !== table)])
  return held
}

export function holdSeats(table: string, seats: readonly HeldSeat[], host: string | null = null): Held {
  return hold(
    table,
    seats.map((seat) => seat.token),
    host,
  )
}

export function forget(table: string): void {
  write(read().filter((held) => held.table !== table))
}
