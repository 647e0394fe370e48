// The daily deals of this browser: one try a day, and what came of each.
import { ask, commandId, mine } from './api'
import type { Daily, DailyWish, Edition, LobbyTable, TableMade } from './protocol'
import { heldAt, holdSeats } from './seatTokens'

const PLACE = 'industry.daily'
const MOST = 400
const DAY = 86_400_000

export interface DailyTry {
  /** In UTC, such as `2026-11-18`. */
  date: string
  table: string
  edition: Edition
  /** Null until the game is over. */
  result: DailyResult | null
}

export interface DailyResult {
  points: number
  place: number
  players: number
  /** The bots with their points, by seat. */
  others: { bot: string; name: string; points: number }[]
}

export interface Streak {
  now: number
  longest: number
}

/** All tries that this browser knows of, the latest first. */
export function tries(): DailyTry[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(PLACE) ?? '[]')
    return Array.isArray(found) ? (found as DailyTry[]) : []
  } catch {
    return []
  }
}

export function tryOf(date: string): DailyTry | null {
  return tries().find((one) => one.date === date) ?? null
}

function keep(changed: DailyTry): void {
  const others = tries().filter((one) => one.date !== changed.date)
  const all = [changed, ...others].sort((one, other) => other.date.localeCompare(one.date))
  try {
    localStorage.setItem(PLACE, JSON.stringify(all.slice(0, MOST)))
  } catch {
    // without storage nothing holds anybody to one try
  }
}

export const today = (): Promise<Daily> => ask('daily')

/** Sit down at the deal of that day; the try counts from now on. */
export async function begin(deal: Daily, name: string): Promise<string> {
  const wish: DailyWish = { id: commandId(), date: deal.date, name }
  const made = await ask<TableMade>('daily', wish)
  holdSeats(made.table, made.seats, made.host, {})
  keep({ date: deal.date, table: made.table, edition: deal.edition, result: null })
  return made.table
}

/** Ask the server about a try that has no result yet, and keep what it says. */
export async function lookUp(one: DailyTry): Promise<DailyTry> {
  const token = heldAt(one.table)?.tokens[0]
  if (one.result || !token) return one
  const found = (await mine([token])).tables.find((known) => known.table.table === one.table)
  const result = found?.seat ? resultOf(found.table, found.seat) : null
  if (!result) return one
  const done = { ...one, result }
  keep(done)
  return done
}

/** What a finished game came to for a seat; null while it runs. */
export function resultOf(table: LobbyTable, seat: number): DailyResult | null {
  const { points, winners, seats } = table
  const own = points[seat - 1]
  if (own === undefined) return null
  const place = winners.includes(seat) ? 1 : Math.max(2, 1 + points.filter((other) => other > own).length)
  const others = seats
    .filter((other) => other.seat !== seat)
    .map((other) => ({ bot: other.bot ?? '', name: other.name, points: points[other.seat - 1] ?? 0 }))
  return { points: own, place, players: points.length, others }
}

/** Days in a row with a finished deal: up to today or yesterday, and the longest. */
export function streakOf(all: readonly DailyTry[], date: string): Streak {
  const days = all.filter((one) => one.result).map((one) => Date.parse(one.date) / DAY)
  const done = new Set(days)
  const lengthTo = (day: number): number => {
    let count = 0
    while (done.has(day - count)) count += 1
    return count
  }
  const now = Date.parse(date) / DAY
  return { now: lengthTo(done.has(now) ? now : now - 1), longest: Math.max(0, ...days.map(lengthTo)) }
}
