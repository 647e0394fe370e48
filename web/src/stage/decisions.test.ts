// The cards on which a player decides, mounted at moments of real games.
import { flushSync, mount, unmount, type Component } from 'svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { tableAt } from '../gallery/fixtureTable'
import { plansOf } from '../lib/developmentOptions'
import { say, signed } from '../lib/i18n.svelte'
import { prefs } from '../lib/prefs.svelte'
import type { Auction, Yours } from '../lib/protocol'
import type { Table } from '../lib/table.svelte'
import Bid from './Bid.svelte'
import DevelopCard from './DevelopCard.svelte'
import Settle from './Settle.svelte'
import Worth from './Worth.svelte'

type Game = 'industry-4' | 'industria-3'
let mounted: Record<string, unknown> | null = null

beforeEach(() => {
  prefs.confirm = true
})
afterEach(async () => {
  if (mounted) await unmount(mounted)
  mounted = null
  document.body.replaceChildren()
  delete document.documentElement.dataset['sent']
})

/** Opens a table at a moment of a real game at which seat 1 decides. */
async function opened(game: Game, state: string): Promise<{ table: Table; yours: Yours; auction: Auction }> {
  const table = await tableAt(game, state)
  return { table, yours: table.yours[0]!, auction: table.game!.auction! }
}

function show<Props extends object>(component: Component<Props>, table: Table, props: object): void {
  const all = { table, ...props } as unknown as Props
  mounted = mount(component as Component, { target: document.body, props: all }) as Record<string, unknown>
  flushSync()
}

function press(selector: string): void {
  document.querySelector<HTMLElement>(selector)!.click()
  flushSync()
}

const sent = (): string | undefined => document.documentElement.dataset['sent']
const text = (selector = 'body'): string => document.querySelector(selector)!.textContent!.replace(/\s+/g, ' ')
const amounts = (): number[] =>
  [...document.querySelectorAll<HTMLElement>('[data-bid]')].map((button) => Number(button.dataset['bid']))

describe('what a field is worth to each player', () => {
  const times = (part: string): number => text().split(part).length - 1
  async function valued(price: (seat: number) => number | null): Promise<void> {
    const { table } = await opened('industry-4', 'bid')
    const worth = table.view.seats.map(({ seat }) => {
      return { seat, points: 3, links: 0, bonuses: 0, price: price(seat), jokers: 0, sells_to: 0 }
    })
    show(Worth, table, { report: { worth, prospects: null, claim_limit: null } })
  }

  it('says once that nobody can build it yet', async () => {
    await valued(() => null)
    expect(times(say('web.worth.locked'))).toBe(1)
    expect(times('+3')).toBe(4)
  })

  it('says who cannot build it yet where others can', async () => {
    await valued((seat) => (seat > 2 ? null : 2))
    expect(times(say('web.worth.locked'))).toBe(2)
    expect(times(say('web.worth.price', { count: 2 }))).toBe(2)
  })
})

describe('bidding', () => {
  async function bidding(game: Game = 'industry-4'): Promise<Table> {
    const { table, ...rest } = await opened(game, 'bid')
    show(Bid, table, rest)
    return table
  }

  it('offers exactly the legal amounts', async () => {
    await bidding()
    expect(amounts()).toEqual([2, 3, 4])
  })

  it('sends the amount that is pressed', async () => {
    await bidding()
    press('[data-bid="3"]')
    expect(sent()).toBe('1 bid 3')
  })

  it('passes', async () => {
    await bidding()
    press('[data-key="p"]')
    expect(sent()).toBe('1 pass')
  })

  it('asks once more before a bid of most of the purse', async () => {
    await bidding('industria-3')
    press('[data-bid="5"]')
    expect(sent()).toBeUndefined()
    expect(document.querySelector('[data-bid="5"]')!.getAttribute('aria-label')).toContain(say('web.sure'))
    press('[data-bid="5"]')
    expect(sent()).toBe('1 bid 5')
  })

  it('does not ask where confirming is switched off', async () => {
    prefs.confirm = false
    await bidding('industria-3')
    press('[data-bid="5"]')
    expect(sent()).toBe('1 bid 5')
  })

  it('shows what the purses would be if the amount were sold to the bidder', async () => {
    await bidding()
    expect(text('.consequences')).toContain(signed(-2))
    document.querySelector('[data-bid="3"]')!.dispatchEvent(new MouseEvent('mouseenter'))
    flushSync()
    expect(text('.consequences')).toContain(signed(-3))
  })

  it('explains why the next higher amount cannot be bid', async () => {
    const table = await bidding()
    const refusal = await table.why('1 bid 5')
    press('.amounts .unavailable')
    await vi.waitFor(() => expect(text('[role=status]')).toContain(say('web.bid.why_not', { count: 5 })))
    expect(document.querySelector('[role=status] a')!.getAttribute('href')).toBe(`/rules#${refusal!.rule}`)
  })
})

describe('settling an auction', () => {
  async function settling(forbidden: readonly string[] = []): Promise<void> {
    const { table, yours, auction } = await opened('industry-4', 'settle')
    const legal = yours.legal.filter((line) => !forbidden.includes(line))
    show(Settle, table, { yours: { ...yours, legal }, auction })
  }

  it('shows every purse after a sale and after a claim', async () => {
    await settling()
    expect(text()).toContain(say('web.settle.you_get', { count: 1, rest: 8 }))
    expect(text()).toContain(say('web.settle.buyer_pays', { name: 'Bo', count: 1, rest: 14 }))
    expect(text()).toContain(say('web.settle.you_pay', { count: 1, rest: 6 }))
    expect(text()).toContain(say('web.settle.next', { name: 'Bo' }))
  })

  it('sells', async () => {
    await settling()
    press('[data-key="s"]')
    expect(sent()).toBe('1 sell')
  })

  it('claims', async () => {
    await settling()
    press('[data-key="c"]')
    expect(sent()).toBe('1 claim')
  })

  it('does not send a claim that is not legal, and says so', async () => {
    await settling(['1 claim'])
    expect(text()).toContain(say('web.settle.too_dear'))
    press('[data-key="c"]')
    expect(sent()).toBeUndefined()
  })
})

describe('developing a field', () => {
  async function developing(field: string): Promise<{ toggled: () => number }> {
    const { table, yours } = await opened('industry-4', 'develop')
    const plan = plansOf(yours.legal, (line) => table.choiceOf(line)).find((one) => one.field === field)!
    const ontoggle = vi.fn()
    show(DevelopCard, table, { yours, plan, number: 1, isOpen: true, ontoggle })
    return { toggled: () => ontoggle.mock.calls.length }
  }
  function choose(resource: string, source: string): void {
    press(`input[name="3J-${resource}"][value="${source}"]`)
  }

  it('takes one press where there is one way', async () => {
    await developing('3D')
    expect(document.querySelectorAll('fieldset')).toHaveLength(0)
    press('[data-key="1"]')
    expect(sent()).toBe('1 develop 3D')
  })

  it('opens where there are several ways, and sends nothing yet', async () => {
    const { toggled } = await developing('3J')
    press('[data-key="1"]')
    expect(toggled()).toBe(1)
    expect(sent()).toBeUndefined()
  })

  it('offers each source of each resource', async () => {
    await developing('3J')
    const offered = [...document.querySelectorAll<HTMLInputElement>('input[type=radio]')]
    expect(offered.map((input) => `${input.name}=${input.value}`).sort()).toEqual([
      '3J-cement=3',
      '3J-cement=joker',
      '3J-iron=4',
      '3J-iron=joker',
    ])
  })

  it('sends the line of the chosen sources', async () => {
    await developing('3J')
    choose('iron', 'joker')
    choose('cement', '3')
    press('.go .btn')
    expect(sent()).toBe('1 develop 3J iron=joker cement=3')
  })

  it('does not send sources that do not go together', async () => {
    await developing('3J')
    choose('iron', '4')
    choose('cement', '3')
    expect(document.querySelector<HTMLButtonElement>('.go .btn')!.disabled).toBe(true)
  })
})
