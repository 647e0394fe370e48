// The seats that are held in this browser: their secrets, by table, and what only it can compare.
import type { HeldSeat } from './protocol'

/** What a server could replace later, as this browser knew it first. */
export interface Promised {
  /** The seal of the bag. */
  commitment?: string
  /** What was added to the bag here, by the place in which the seat was taken. */
  additions?: Record<number, string>
}

export interface Held extends Promised {
  table: string
  /** One token per seat that is played at this screen. */
  tokens: string[]
  host: string | null
  /** When it was last opened, to list the newest first. */
  seen: number
  /** Host: the tokens of reserved seats, by seat, to be handed to others. */
  invitations?: Record<number, string>
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

/** Keep the secrets of a table, together with those that are known already. The seal that was promised first stays. */
export function hold(
  table: string,
  tokens: readonly string[],
  host: string | null = null,
  promised: Promised = {},
): Held {
  const all = read()
  const known = all.find((held) => held.table === table)
  const commitment = known?.commitment ?? promised.commitment
  const held: Held = {
    table,
    tokens: [...new Set([...(known?.tokens ?? []), ...tokens])].slice(0, 4),
    host: host ?? known?.host ?? null,
    seen: Date.now(),
    additions: { ...known?.additions, ...promised.additions },
    invitations: { ...known?.invitations },
    ...(commitment ? { commitment } : {}),
  }
  write([held, ...all.filter((other) => other.table !== table)])
  return held
}

/** Keep seats that were just taken, each with what was added to the bag for it. */
export function holdSeats(
  table: string,
  seats: readonly HeldSeat[],
  host: string | null = null,
  additions: Record<number, string> = {},
): Held {
  const commitment = seats[0]?.commitment
  return hold(
    table,
    seats.map((seat) => seat.token),
    host,
    { additions, ...(commitment ? { commitment } : {}) },
  )
}

function change(table: string, how: (held: Held) => Held): void {
  write(read().map((held) => (held.table === table ? how(held) : held)))
}

/** A seat has another link from now on. */
export function replaceToken(table: string, old: string, token: string): void {
  change(table, (held) => ({ ...held, tokens: held.tokens.map((one) => (one === old ? token : one)) }))
}

/** Keep the links of reserved seats, to be handed to others. */
export function invite(table: string, seats: readonly HeldSeat[]): void {
  const links = Object.fromEntries(seats.map((seat) => [seat.seat, seat.token]))
  change(table, (held) => ({ ...held, invitations: { ...held.invitations, ...links } }))
}

export function forget(table: string): void {
  write(read().filter((held) => held.table !== table))
}
