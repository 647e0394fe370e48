import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  checkBag,
  commitmentOf,
  compared,
  eraKey,
  eraOrder,
  firstPlayer,
  rootKey,
  seatingOrder,
  type Bound,
} from './bag'
import { hex, hmac, plainHmac, plainSha256, sha256, utf8 } from './hash'
import type { Held } from './seatTokens'
import type { Entry, Proof, TableView } from './protocol'

interface Vector {
  secret: string
  table?: string
  rules_version?: number
  players?: string[]
  contributions: string[]
  commitment: string
  era_keys: string[]
  orders: string[]
  starting_player: number
  seating: number[]
}

const vectors = ['bag-vectors', 'bag-2-vectors'].flatMap(
  (name) => JSON.parse(readFileSync(`../tests/notation/${name}.json`, 'utf8')) as Vector[],
)

function boundOf(vector: Vector): Bound {
  return {
    scheme: vector.table ? 2 : 1,
    table: vector.table ?? '',
    rulesVersion: vector.rules_version ?? 1,
    players: vector.contributions.map((addition, index) => ({ name: vector.players?.[index] ?? '', addition })),
  }
}

describe('the published vectors', () => {
  it.each(vectors.map((vector, number) => ({ number, vector })))('hold in the browser: $number', async ({ vector }) => {
    const root = await rootKey(vector.secret, boundOf(vector))
    const keys = await Promise.all([1, 2, 3, 4, 5].map((era) => eraKey(root, era)))
    expect(await commitmentOf(vector.secret)).toBe(vector.commitment)
    expect(keys).toEqual(vector.era_keys)
    expect(await Promise.all(keys.map(eraOrder))).toEqual(vector.orders)
    expect(await firstPlayer(root, vector.contributions.length)).toBe(vector.starting_player)
    expect(await seatingOrder(root, vector.contributions.length)).toEqual(vector.seating)
  })
})

describe('hashes without the help of the browser', () => {
  it.each([0, 1, 55, 56, 63, 64, 65, 119, 120, 1000])('are the same for %i bytes', async (length) => {
    const message = Uint8Array.from({ length }, (_, i) => (i * 37) % 256)
    expect(hex(plainSha256(message))).toBe(hex(await sha256(message)))
    for (const key of [utf8('key'), message.length ? message : utf8('k')]) {
      expect(hex(plainHmac(key, message))).toBe(hex(await hmac(key, message)))
    }
  })
})

const vector = vectors.find((one) => one.table && one.contributions.some(Boolean))!

/** A finished game of that vector whose draws are right: three tokens at a time. */
function game(): { view: TableView; log: Entry[]; draws: string[][] } {
  const players = vector.players!.length
  const draws = vector.orders.flatMap((order, era) =>
    Array.from({ length: 12 / players }, (_, turn) =>
      [...order.slice(turn * players, (turn + 1) * players)].map((letter) => `${era + 1}${letter}`),
    ),
  )
  const proof: Proof = {
    daily: '',
    scheme: 2,
    rules_version: vector.rules_version!,
    commitment: vector.commitment,
    places: vector.seating,
    shuffled: true,
    contributions: vector.seating.map((place) => vector.contributions[place - 1]!),
    era_keys: [...vector.era_keys],
    secret: vector.secret,
  }
  const seats = vector.seating.map((place, index) => ({ seat: index + 1, name: vector.players![place - 1]! }))
  const log = [{ events: [{ type: 'round_started', number: 1, era: 1, starting_player: vector.starting_player }] }]
  return {
    view: { table: vector.table, status: 'over', options: {}, seats, proof } as unknown as TableView,
    log: log as unknown as Entry[],
    draws,
  }
}

const place = vector.contributions.findIndex(Boolean) + 1
const own = [vector.seating.indexOf(place) + 1]
const held: Held = {
  table: vector.table!,
  tokens: [],
  host: null,
  seen: 0,
  commitment: vector.commitment,
  additions: { [place]: vector.contributions[place - 1]! },
}

describe('a finished game', () => {
  it('is proven, and is the promised one', async () => {
    const { view, log, draws } = game()
    expect(await checkBag(view, log, draws, held, own)).toEqual({
      promise: 'kept',
      addition: 'kept',
      draws: 'kept',
      isFinal: true,
    })
  })

  it('proves itself to who kept nothing, and no more', async () => {
    const { view, log, draws } = game()
    expect(await checkBag(view, log, draws, null, own)).toEqual({
      promise: 'unknown',
      addition: 'unknown',
      draws: 'kept',
      isFinal: true,
    })
  })

  const lies: [string, (game: { view: TableView; log: Entry[]; draws: string[][] }) => void][] = [
    ['another draw', ({ draws }) => ([draws[0]![0], draws[1]![0]] = [draws[1]![0]!, draws[0]![0]!])],
    ['another secret', ({ view }) => (view.proof.secret = '00'.repeat(32))],
    ['another table', ({ view }) => (view.table = 'zzzzzzzzzzzz')],
    ['another name', ({ view }) => (view.seats[0]!.name = 'Mallory')],
    ['another seating', ({ view }) => view.proof.places.reverse()],
    ['another key', ({ view }) => (view.proof.era_keys[1] = '11'.repeat(32))],
    [
      'another first player',
      ({ log }) =>
        ((log[0]!.events[0] as { starting_player: number }).starting_player = (vector.starting_player % 3) + 1),
    ],
    ['another addition', ({ view }) => (view.proof.contributions[0] = 'abcd')],
  ]
  it.each(lies)('with %s is found out', async (_, lie) => {
    const whole = structuredClone(game())
    lie(whole)
    expect((await checkBag(whole.view, whole.log, whole.draws, held, own)).draws).toBe('broken')
  })

  it('whose secret is kept back is not proven', async () => {
    const { view, log, draws } = game()
    const proof = { ...view.proof, secret: null, era_keys: [] }
    expect((await checkBag({ ...view, proof }, log, draws, held, own)).draws).toBe('broken')
  })

  it('of a duplicate round is proven when the round is over', async () => {
    const { view, log, draws } = game()
    const proof = { ...view.proof, secret: null, era_keys: [] }
    const duplicate = { ...view, options: { ...view.options, duplicate: true } }
    expect((await checkBag({ ...duplicate, proof }, log, draws, held, own)).draws).toBe('unknown')
    expect((await checkBag(duplicate, log, draws, held, own)).draws).toBe('kept')
  })
})

describe('what only this browser can compare', () => {
  const proof = game().view.proof
  it('is the seal', () => {
    expect(compared(proof, { ...held, commitment: `sha256:${'0'.repeat(64)}` }, own).promise).toBe('broken')
  })
  it('is what it added, at its own seat', () => {
    expect(compared(proof, { ...held, additions: { [place]: 'ffff' } }, own).addition).toBe('broken')
    expect(compared(proof, held, own).addition).toBe('kept')
  })
  it('is not told of a seat that somebody else has now', () => {
    expect(compared(proof, { ...held, additions: { [place]: 'ffff' } }, []).addition).toBe('unknown')
  })
  it('is not told before the game has begun', () => {
    expect(compared({ ...proof, contributions: [] }, held, own)).toEqual({ promise: 'kept', addition: 'unknown' })
  })
})
