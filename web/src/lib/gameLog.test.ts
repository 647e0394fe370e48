import { describe, expect, it } from 'vitest'
import board from '../fixtures/board-industry.json'
import { entriesOf } from '../fixtures/fixtureSteps'
import game from '../fixtures/game-industry-4.json'
import { say, signed } from './i18n.svelte'
import { plain } from './plainText'
import type { Choice, Entry } from './protocol'
import { curveOf } from './result'
import { remaining, Story, storyOf, type Group } from './gameLog'
import { chosenLine, plansOf } from './developmentOptions'

const entries = entriesOf(game)
const words = {
  nameOf: (seat: number) => ['Ana', 'Bo', 'Cy', 'Dee'][seat - 1]!,
  fieldName: (id: string) => board.fields.find((field) => field.id === id)!.name.en,
  botName: (bot: string) => `bot ${bot}`,
}
const groups = storyOf(entries, words)
const told = (kind: Group['kind']): Group[] => groups.filter((group) => group.kind === kind)

describe('what happened', () => {
  it('tells every one of the sixty auctions with its outcome', () => {
    expect(told('auction')).toHaveLength(60)
    expect(told('auction').every((group) => group.outcome && group.outcome.key !== 'web.log.open')).toBe(true)
  })

  it('tells all sixteen rounds and the four changes of era', () => {
    expect(told('round')).toHaveLength(16)
    expect(told('era')).toHaveLength(4)
  })

  it('leaves no name of a value in its sentences', () => {
    for (const line of groups.flatMap((group) => group.lines)) expect(plain(line, words.nameOf)).not.toMatch(/[{}]/)
  })

  it('does not tell what was taken back', () => {
    const some = entries.slice(0, 8)
    const undone = { ...some[7]!, version: 99, kind: 'undone', line: null, moves: 5, events: [] } as unknown as Entry
    const kept = remaining([...some, undone])
    expect(kept.map(({ entry }) => entry.version)).toEqual([...some.slice(0, 6).map((entry) => entry.version), 99])
  })

  it('names the bot that decided for another one, beside the move', () => {
    const number = entries.findIndex((entry) => entry.line?.includes(' bid '))
    const seat = entries[number]!.seat!
    const instead = entries
      .slice(0, number + 1)
      .map((entry, index) => (index === number ? { ...entry, stand_in: 'engineer' } : entry))
    const lines = storyOf(instead, words)
      .at(-1)!
      .lines.map((line) => plain(line, words.nameOf))
    expect(lines.at(-1)).toBe(`The bot engineer plays for ${words.nameOf(seat)}.`)
    expect(lines).toHaveLength(storyOf(entries.slice(0, number + 1), words).at(-1)!.lines.length + 1)
  })

  it('tells nothing of the places before the start, where others may sit afterwards', () => {
    const before = ['created', 'seat_taken', 'seat_left', 'seat_to_bot'].map(
      (kind, seat) => ({ ...entries[0]!, kind, seat: seat + 1, name: 'Foreman', events: [] }) as unknown as Entry,
    )
    expect(storyOf(before, words)).toEqual([])
    expect(new Story(words).until([...before, ...entries]).map(({ lines }) => lines)).toEqual(
      groups.map(({ lines }) => lines),
    )
  })

  it('draws the curve of points up to the final count', () => {
    const view = game.states.over.view as unknown as Parameters<typeof curveOf>[1]
    const { points, eras } = curveOf(entries, view)
    expect(eras).toHaveLength(16)
    points.forEach((curve, seat) => {
      expect(curve[0]).toBe(0)
      expect(curve.at(-1)).toBe(view.score[seat]!.points)
      expect(curve.at(-2)).toBe(view.score[seat]!.development)
    })
  })
})

describe('ways to develop', () => {
  const moment = game.states.develop
  const choices = moment.choices as unknown as Choice[]
  const plans = plansOf(moment.legal, (line) => choices.find((choice) => choice.line === line) ?? null)

  it('have all lines of the list and no other', () => {
    expect(plans.flatMap((plan) => plan.lines).sort()).toEqual(
      moment.legal.filter((line) => line.includes(' develop ')).sort(),
    )
  })

  it('cost a Taler from the bank or another seat and nothing from a joker', () => {
    const options = plans.flatMap((plan) => plan.needs).flatMap((need) => need.options)
    expect(options.length).toBeGreaterThan(0)
    for (const { source, price } of options) expect(price, source).toBe(/^(bank|\d)$/.test(source) ? 1 : 0)
  })

  it('are chosen source by source', () => {
    const several = plans.find((plan) => plan.lines.length > 1)!
    const chosen = several.needs.map((need) => need.options[0]!.source)
    expect(chosenLine(several, 1, chosen)).toBe(
      several.lines.find((line) => chosen.every((source) => line.includes(`=${source}`))),
    )
    expect(chosenLine(several, 1, [])).toBeNull()
  })
})

describe('numbers', () => {
  it('have a real minus and the right plural', () => {
    expect(signed(-3)).toBe('−3')
    expect(signed(2)).toBe('+2')
    expect(say('talers', { count: 1 })).toBe('1 Taler')
    expect(say('talers', { count: 2 })).toBe('2 Talers')
  })
})

describe('a story that grows', () => {
  it('tells the same as one that is told at once, and keeps what it has told', () => {
    const story = new Story(words)
    const half = story.until(entries.slice(0, 200))
    const whole = story.until(entries)
    expect(whole).toEqual(groups)
    expect(whole.slice(0, half.length - 1).every((group, index) => group === half[index])).toBe(true)
  })
})
