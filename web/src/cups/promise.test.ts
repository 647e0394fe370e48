import { beforeEach, describe, expect, it } from 'vitest'
import type { CupView } from '../lib/protocol'
import { additionTo, check, keep, keptOf } from './promise'

// from docs/cups.md, where Python computes the same
const SECRET = '00'.repeat(32)
const COMMITMENT = 'sha256:66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925'
const ROUND = 'sha256:62dc1517243fc779c622b605305c4bd699767a2882976a15d4aaaba171b4ea78'

function cup(more: Partial<CupView> = {}): CupView {
  const entrants = ['a1', '', 'b2'].map((addition, place) => ({
    number: place + 1,
    name: 'x',
    person: null,
    bot: null,
    withdrawn: false,
    addition,
  }))
  const rounds = [{ number: 1, begun: 0, due: null, games: [], commitment: ROUND }]
  return { id: 'a'.repeat(12), commitment: COMMITMENT, secret: null, me: 1, entrants, rounds, ...more } as CupView
}
const KEPT = { cup: 'a'.repeat(12), addition: 'a1', commitment: COMMITMENT }

describe('what a cup promises', () => {
  beforeEach(() => localStorage.clear())

  it('stays unknown while its secret is', async () => {
    expect(await check(cup(), KEPT)).toBe('unknown')
    expect(await check(cup(), null)).toBe('unknown')
  })
  it('is kept if all bags follow from the secret and the additions', async () => {
    expect(await check(cup({ secret: SECRET }), KEPT)).toBe('kept')
    expect(await check(cup({ secret: SECRET }), null)).toBe('kept')
  })
  it('is broken if the commitment or the own addition is another one', async () => {
    expect(await check(cup(), { ...KEPT, commitment: 'sha256:00' })).toBe('broken')
    expect(await check(cup(), { ...KEPT, addition: 'a2' })).toBe('broken')
    expect(await check(cup({ me: null }), KEPT)).toBe('broken')
  })
  it('is broken if the secret or a bag is another one', async () => {
    expect(await check(cup({ secret: '11'.repeat(32) }), null)).toBe('broken')
    const other = cup({ secret: SECRET })
    other.entrants[2]!.addition = 'b3'
    expect(await check(other, null)).toBe('broken')
  })
  it('keeps the first addition for somebody who comes back', () => {
    const addition = additionTo(KEPT.cup)
    expect(addition).toMatch(/^[0-9a-f]{64}$/)
    keep(cup(), addition)
    keep(cup({ commitment: 'sha256:00' }), 'ff')
    expect(keptOf(KEPT.cup)).toEqual({ ...KEPT, addition })
    expect(additionTo(KEPT.cup)).toBe(addition)
  })
})
