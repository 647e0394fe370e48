import { describe, expect, it } from 'vitest'
import { seatLink, tableIn, watchLink } from './links'
import { MOST_BYTES, packed, unpacked } from './recordLink'
import { gamesIn } from './recordFiles'
import { ago } from './timeAgo'

const CODE = 'abc123def456'

describe('links of tables', () => {
  it('are found in what somebody pastes', () => {
    expect(tableIn(` ${CODE.toUpperCase()} `)).toBe(`/table/${CODE}`)
    expect(tableIn(`https://example.org/table/${CODE}?watch`)).toBe(`/table/${CODE}?watch`)
    expect(tableIn(seatLink(CODE, ['one', 'two']))).toBe(`/table/${CODE}#one,two`)
  })

  it('are nothing else', () => {
    for (const text of ['', 'my table', 'https://example.org/', `${CODE}x`, 'https://'])
      expect(tableIn(text)).toBeNull()
  })

  it('keep secrets out of what servers see', () => {
    expect(new URL(seatLink(CODE, ['secret'])).pathname).toBe(`/table/${CODE}`)
    expect(watchLink(CODE)).not.toContain('#')
  })
})

describe('files of records', () => {
  const game = { players: ['Ana', 'Bo', 'Cy'], edition: 'industry', result: { points: [1, 2, 3] } }

  it('hold one game as TOML or as JSON over several lines', () => {
    expect(gamesIn('format = 1\n')).toHaveLength(1)
    expect(gamesIn(JSON.stringify(game, null, 2))[0]).toMatchObject({ players: game.players, points: [1, 2, 3] })
  })

  it('hold many as lines of JSON', () => {
    const line = JSON.stringify(game)
    expect(gamesIn(`${line}\n\n${line}\n`).map((found) => found.text)).toEqual([line, line])
  })

  it('hold none where nothing stands in them', () => {
    expect(gamesIn(' \n')).toEqual([])
  })
})

describe('a record within a link', () => {
  it('comes out as it went in, and is shorter', async () => {
    const text = `moves = [\n${'    "1 offer 1F",\n    "2 bid 3",\n'.repeat(200)}] # Ä`
    const link = await packed(text)
    expect(link).toMatch(/^[A-Za-z0-9_-]+$/)
    expect(link.length).toBeLessThan(text.length / 10)
    expect(await unpacked(link)).toBe(text)
  })

  it('does not unpack more than a record can have', async () => {
    const link = await packed('a'.repeat(MOST_BYTES + 1))
    expect(link.length).toBeLessThan(2000)
    await expect(unpacked(link)).rejects.toThrow(RangeError)
  })
})

describe('how long ago', () => {
  it('is told in the largest unit that has passed', () => {
    const now = 1_700_000_000_000
    expect(ago(now, now)).toBe('this minute')
    expect(ago(now - 5 * 60_000, now)).toBe('5 minutes ago')
    expect(ago(now - 3 * 3_600_000, now)).toBe('3 hours ago')
    expect(ago(now - 26 * 3_600_000, now)).toBe('yesterday')
  })
})
