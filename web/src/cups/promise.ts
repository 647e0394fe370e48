// What a cup promised this browser, and whether it was kept: docs/cups.md says how bags and seating
// follow from the secret of the cup and from what its players have added.
import { randomness } from '../lib/api'
import { fromHex, hmac, sha256, hex, utf8 } from '../lib/hash'
import type { CupView } from '../lib/protocol'

/** What this browser has added to a cup, and the promise it was given then. */
export interface Kept {
  cup: string
  addition: string
  commitment: string
}

export type Finding = 'unknown' | 'kept' | 'broken'

const PLACE = 'industry.cups'
const MOST = 50

function read(): Kept[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(PLACE) ?? '[]')
    return Array.isArray(found) ? (found as Kept[]) : []
  } catch {
    return []
  }
}

/** What this browser has added to a cup; null where it was not here that somebody joined it. */
export function keptOf(cup: string): Kept | null {
  return read().find((one) => one.cup === cup) ?? null
}

/** What this browser adds to a cup: the same if somebody leaves it and comes back. */
export function additionTo(cup: string): string {
  return keptOf(cup)?.addition ?? randomness()
}

/** Keeps what was added, unless this cup is known already. */
export function keep(cup: CupView, addition: string): void {
  if (keptOf(cup.id)) return
  const all = [{ cup: cup.id, addition, commitment: cup.commitment }, ...read()]
  try {
    localStorage.setItem(PLACE, JSON.stringify(all.slice(0, MOST)))
  } catch {
    // without storage there is nothing to compare with later
  }
}

/** Whether a cup still says what it said to this browser; once it is over, whether all bags follow. */
export async function check(cup: CupView, kept: Kept | null): Promise<Finding> {
  if (kept && (kept.commitment !== cup.commitment || own(cup) !== kept.addition)) return 'broken'
  if (!cup.secret) return 'unknown'
  return (await follows(cup, cup.secret)) ? 'kept' : 'broken'
}

function own(cup: CupView): string | undefined {
  return cup.me === null ? undefined : cup.entrants[cup.me - 1]?.addition
}

async function follows(cup: CupView, secret: string): Promise<boolean> {
  if (cup.commitment !== (await committed(fromHex(secret)))) return false
  const added = cup.entrants.map((one) => one.addition)
  for (const round of cup.rounds) {
    if (!round.commitment) continue
    const text = [`industry-cup-1 round ${round.number}`, ...added].join('\n')
    if (round.commitment !== (await committed(await hmac(fromHex(secret), utf8(text))))) return false
  }
  return true
}

async function committed(secret: Uint8Array): Promise<string> {
  return `sha256:${hex(await sha256(secret))}`
}
