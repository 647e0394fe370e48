// The order that is being written: every kind keeps what was chosen for it.
import { readLine } from '../lib/notation'
import type { AnyOrder, GameView, Yours } from '../lib/protocol'
import type { Table } from '../lib/table.svelte'

export type Do = AnyOrder['do']

const FOR_PHASE: Partial<Record<GameView['phase'], Do>> = {
  offer: 'offer',
  bid: 'bid',
  settle: 'settle',
  develop: 'develop',
}

export class OrderDraft {
  do: Do = $state('bid')
  what = $state('any')
  upTo = $state(0)
  atOnce = $state(false)
  sellFrom = $state(1)
  fields: string[] = $state([])
  keep = $state(0)
  jokers = $state(true)
  below = $state(2)
  isThisEra = $state(true)
  wakeWhat = $state('')
  priceAbove: number | null = $state(null)
  talersBelow: number | null = $state(null)
  auctioneer = $state(0)
  bidder = $state(0)
  newRound = $state(false)

  constructor(private readonly table: Table) {
    const game = table.game
    const mine = table.deciding !== null
    this.do = (mine && game && FOR_PHASE[game.phase]) || 'bid'
    if (game?.auction) {
      this.what = game.auction.field
      this.upTo = game.auction.high_bid + 1
      this.sellFrom = Math.max(1, game.auction.high_bid)
    }
  }

  /** The order as it stands; null while something is missing. */
  get order(): AnyOrder | null {
    const era = this.isThisEra ? (this.table.game?.era ?? 1) : null
    switch (this.do) {
      case 'bid':
        return { do: 'bid', what: this.what, up_to: this.upTo, at_once: this.atOnce, era }
      case 'settle':
        return { do: 'settle', what: this.what, sell_from: this.sellFrom, era }
      case 'offer':
        return this.fields.length ? { do: 'offer', fields: [...this.fields], era } : null
      case 'develop':
        return { do: 'develop', fields: [...this.fields], keep: this.keep, jokers: this.jokers, era }
      case 'subsidy':
        return { do: 'subsidy', below: this.below, era }
      case 'cash':
        return this.fields.length ? { do: 'cash', fields: [...this.fields], below: this.below, era } : null
      case 'wake':
        return this.wake(era)
    }
  }

  private wake(era: number | null): AnyOrder | null {
    const conditions = {
      what: this.wakeWhat || null,
      price_above: this.priceAbove,
      auctioneer: this.auctioneer || null,
      bidder: this.bidder || null,
      talers_below: this.talersBelow,
      after_round: this.newRound ? (this.table.game?.round ?? 0) : null,
    }
    const isEmpty = Object.values(conditions).every((value) => value === null)
    return isEmpty ? null : { do: 'wake', ...conditions, era }
  }

  /** Put a field at the end of the list, or take it off. */
  toggle(field: string): void {
    this.fields = this.fields.includes(field) ? this.fields.filter((one) => one !== field) : [...this.fields, field]
  }
}

/** Orders that one press makes, for the decision that is shown. */
export function suggestions(table: Table, yours: Yours | null): AnyOrder[] {
  const game = table.game
  if (!game) return []
  const era = game.era
  const auction = game.auction
  if (yours && game.phase === 'settle') return [{ do: 'settle', what: 'any', sell_from: 1, era }]
  if (yours && game.phase === 'develop') return [{ do: 'develop', fields: [], keep: 0, jokers: true, era }]
  if (yours && game.phase === 'offer') {
    const fields = yours.legal.map(readLine).flatMap((move) => (move.verb === 'offer' ? [move.field] : []))
    return [{ do: 'offer', fields: [...fields.slice(0, 11), 'any'], era }]
  }
  const kind = auction ? table.field(auction.field).kind : null
  const pass = (what: string): AnyOrder => ({ do: 'bid', what, up_to: 0, at_once: false, era })
  return kind ? [pass(kind), pass('any')] : [pass('any')]
}
