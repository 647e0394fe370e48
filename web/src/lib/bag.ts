// The fair bag, checked in this browser: docs/fair-bag.md says how everything follows from the secret.
import { fromHex, hex, hmac, sha256, utf8 } from './hash'
import type { Held } from './seatTokens'
import type { Entry, Proof, TableView } from './protocol'

const COLUMNS = 'ABCDEFGHIJKL'

/** What a check has found: as it should be, not so, or not to be told (yet). */
export type Finding = 'kept' | 'broken' | 'unknown'

export interface BagFindings {
  /** The bag is the one that was promised to this browser. */
  promise: Finding
  /** What this browser added is in the bag. */
  addition: Finding
  /** The draws follow from what was revealed. */
  draws: Finding
  /** All is revealed and checked: the game is over. */
  isFinal: boolean
}

export const NOTHING_FOUND: BagFindings = { promise: 'unknown', addition: 'unknown', draws: 'unknown', isFinal: false }

/** A number below `count` from a stream of bytes, each as likely. */
class Numbers {
  private block = 0
  private bytes: number[] = []

  constructor(private readonly key: Uint8Array) {}

  async below(count: number): Promise<number> {
    const limit = 256 - (256 % count)
    for (;;) {
      const byte = await this.next()
      if (byte < limit) return byte % count
    }
  }

  private async next(): Promise<number> {
    if (!this.bytes.length) {
      const counter = new Uint8Array(4)
      new DataView(counter.buffer).setUint32(0, this.block++)
      this.bytes = [...(await hmac(this.key, counter))]
    }
    return this.bytes.shift()!
  }
}

async function shuffled(key: Uint8Array, count: number): Promise<number[]> {
  const numbers = new Numbers(key)
  const order = Array.from({ length: count }, (_, place) => place)
  for (let last = count - 1; last > 0; last--) {
    const place = await numbers.below(last + 1)
    ;[order[last], order[place]] = [order[place]!, order[last]!]
  }
  return order
}

/** The letters of an era's tokens in the order in which they leave the bag. */
export async function eraOrder(key: string): Promise<string> {
  return (await shuffled(fromHex(key), COLUMNS.length)).map((place) => COLUMNS[place]).join('')
}

export interface Bound {
  scheme: number
  table: string
  rulesVersion: number
  /** Names and additions in the order in which players joined. */
  players: { name: string; addition: string }[]
}

/** The key from which all others come. */
export async function rootKey(secret: string, bound: Bound): Promise<Uint8Array> {
  const additions = bound.players.map((player) => player.addition)
  if (bound.scheme === 1) return hmac(fromHex(secret), utf8(`industry-bag-1:${[...additions].sort().join(',')}`))
  const lines = ['industry-bag-2', `table ${bound.table}`, `rules ${bound.rulesVersion}`]
  for (const { name, addition } of bound.players) lines.push(`player ${hex(await sha256(utf8(name)))} ${addition}`)
  return hmac(fromHex(secret), utf8(lines.join('\n')))
}

export const eraKey = async (root: Uint8Array, era: number): Promise<string> =>
  hex(await hmac(root, utf8(`era ${era}`)))

export async function firstPlayer(root: Uint8Array, players: number): Promise<number> {
  return (await new Numbers(await hmac(root, utf8('starting player'))).below(players)) + 1
}

export async function seatingOrder(root: Uint8Array, players: number): Promise<number[]> {
  return (await shuffled(await hmac(root, utf8('seating')), players)).map((place) => place + 1)
}

export async function commitmentOf(secret: string): Promise<string> {
  return `sha256:${hex(await sha256(fromHex(secret)))}`
}

/** What the screen has seen drawn: the fields of each draw, in order. */
export function drawsIn(log: readonly Entry[]): string[][] {
  return log.flatMap((entry) => entry.events.flatMap((event) => (event.type === 'tokens_drawn' ? [event.fields] : [])))
}

/** Whether every draw takes the next tokens of its era, as far as the keys of eras are known. */
async function drawsFollow(keys: readonly string[], draws: readonly string[][]): Promise<boolean> {
  for (const [index, key] of keys.entries()) {
    const era = String(index + 1)
    const order = await eraOrder(key)
    let taken = 0
    for (const fields of draws.filter((drawn) => drawn[0]?.startsWith(era))) {
      const due = [...order.slice(taken, taken + fields.length)].map((letter) => era + letter)
      if ([...fields].sort().join() !== due.sort().join()) return false
      taken += fields.length
    }
  }
  return true
}

function boundOf(view: TableView): Bound {
  const { proof } = view
  const players = view.seats
    .map((seat, index) => ({
      name: seat.name,
      addition: proof.contributions[index] ?? '',
      place: proof.places[index] ?? index + 1,
    }))
    .sort((one, other) => one.place - other.place)
  return { scheme: proof.scheme, table: view.table, rulesVersion: proof.rules_version, players }
}

/** Whether everything follows from the secret that is revealed now. */
async function secretFits(view: TableView, draws: readonly string[][], log: readonly Entry[]): Promise<boolean> {
  const { proof } = view
  const secret = proof.secret!
  if ((await commitmentOf(secret)) !== proof.commitment) return false
  const root = await rootKey(secret, boundOf(view))
  const players = view.seats.length
  const eras = Math.max(0, ...draws.map((drawn) => Number(drawn[0]?.[0] ?? 0)))
  const keys: string[] = []
  for (let era = 1; era <= eras; era++) keys.push(await eraKey(root, era))
  if (proof.era_keys.some((key, index) => key !== keys[index])) return false
  if (proof.shuffled && (await seatingOrder(root, players)).join() !== proof.places.join()) return false
  const first = log.flatMap((entry) => entry.events).find((event) => event.type === 'round_started')
  if (
    first?.type === 'round_started' &&
    first.number === 1 &&
    first.starting_player !== (await firstPlayer(root, players))
  )
    return false
  return drawsFollow(keys, draws)
}

/** Compare what the server says with what this browser kept for the seats that are its own. */
export function compared(
  proof: Proof,
  held: Held | null,
  seats: readonly number[],
): Pick<BagFindings, 'promise' | 'addition'> {
  const promise = !held?.commitment ? 'unknown' : held.commitment === proof.commitment ? 'kept' : 'broken'
  const own = seats.flatMap((seat) => {
    const kept = held?.additions?.[proof.places[seat - 1] ?? 0]
    return kept === undefined || !proof.contributions.length ? [] : [kept === proof.contributions[seat - 1]]
  })
  const addition = !own.length ? 'unknown' : own.every(Boolean) ? 'kept' : 'broken'
  return { promise, addition }
}

/** Everything that can be checked now. `draws` are all of the game so far. */
export async function checkBag(
  view: TableView,
  log: readonly Entry[],
  draws: readonly string[][],
  held: Held | null,
  seats: readonly number[],
): Promise<BagFindings> {
  const { proof } = view
  if (view.branch) return NOTHING_FOUND // its first draws were those of another game
  const isFinal = proof.secret !== null
  let fits: Finding = 'unknown'
  if (isFinal) fits = (await secretFits(view, draws, log)) ? 'kept' : 'broken'
  else if (proof.era_keys.length) fits = (await drawsFollow(proof.era_keys, draws)) ? 'kept' : 'broken'
  // a duplicate round keeps its secret until all its tables are over
  else if (view.status === 'over' && !view.options.duplicate) fits = 'broken'
  return { ...compared(proof, held, seats), draws: fits, isFinal }
}
