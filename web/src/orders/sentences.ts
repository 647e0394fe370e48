// Standing orders and the moves they make, in words.
import { capital, listing, nameIn, word } from '../lib/i18n.svelte'
import { readLine } from '../lib/notation'
import type { AnyOrder, OrdersDone, WakeOrder } from '../lib/protocol'
import { roman } from '../lib/seats'
import type { Table } from '../lib/table.svelte'
import { tell } from './words'

/** More than anybody ever bids: who sells only from here on always claims. */
export const NEVER = 999

export const KINDS = ['any', 'joker', 'bonus', 'factory', 'technology'] as const

/** A field, a kind of fields, or everything. */
export function whatText(what: string, table: Table): string {
  if (what === 'joker' && table.board.edition === 'industria') return tell('orders.what.raw')
  const kind = KINDS.find((one) => one === what)
  if (kind) return tell(`orders.what.${kind}`)
  return `${nameIn(table.field(what).name)} ${what}`
}

function list(fields: readonly string[], table: Table): string {
  return fields.map((what) => whatText(what, table)).join(', ')
}

/** What an order says. */
export function orderText(order: AnyOrder, table: Table): string {
  const text = withoutEra(order, table)
  return order.era === null ? text : tell('orders.says.era', { order: text, era: roman(order.era) })
}

function withoutEra(order: AnyOrder, table: Table): string {
  switch (order.do) {
    case 'bid': {
      const values = { what: whatText(order.what, table), talers: order.up_to }
      if (!order.up_to) return tell('orders.says.pass', values)
      return order.at_once ? tell('orders.says.once', values) : tell('orders.says.bid', values)
    }
    case 'settle': {
      const values = { what: whatText(order.what, table), talers: order.sell_from }
      if (order.sell_from === NEVER) return tell('orders.says.claim', values)
      return order.sell_from > 1 ? tell('orders.says.settle', values) : tell('orders.says.sell', values)
    }
    case 'offer':
      return tell('orders.says.offer', { list: list(order.fields, table) })
    case 'develop': {
      if (!order.fields.length) return tell('orders.says.stop')
      let text = tell('orders.says.develop', { list: list(order.fields, table) })
      if (order.keep) text = tell('orders.says.keep', { order: text, talers: order.keep })
      return order.jokers ? text : tell('orders.says.nojokers', { order: text })
    }
    case 'subsidy':
      return tell('orders.says.subsidy', { talers: order.below })
    case 'cash':
      return tell('orders.says.cash', { talers: order.below, list: list(order.fields, table) })
    case 'wake':
      return tell('orders.says.wake', { conditions: listing(conditions(order, table)) })
  }
}

function conditions(order: WakeOrder, table: Table): string[] {
  const found: string[] = []
  if (order.what !== null) found.push(tell('orders.if.what', { what: whatText(order.what, table) }))
  if (order.price_above !== null) found.push(tell('orders.if.price', { talers: order.price_above }))
  if (order.auctioneer !== null) found.push(tell('orders.if.auctioneer', { name: table.nameOf(order.auctioneer) }))
  if (order.bidder !== null) found.push(tell('orders.if.bidder', { name: table.nameOf(order.bidder) }))
  if (order.talers_below !== null) found.push(tell('orders.if.talers', { talers: order.talers_below }))
  if (order.after_round !== null) found.push(tell('orders.if.round', { round: order.after_round }))
  return found
}

/** A move as one says what one does. */
export function moveText(line: string, table: Table): string {
  const move = readLine(line)
  if (move.verb === 'draw') return ''
  const field = move.field ? nameIn(table.field(move.field).name) : ''
  return tell(`orders.move.${move.verb}`, { talers: move.talers, field })
}

/** What orders do at a decision. */
export function doneText(done: OrdersDone, table: Table): string {
  if (done.order === null) return tell('orders.nofit')
  const number = done.order + 1
  return done.line === null
    ? tell('orders.wakes', { number })
    : capital(tell('orders.by', { move: moveText(done.line, table), number }))
}

/** Which decision it was. */
export function decisionText(done: OrdersDone, table: Table): string {
  const phase = word('phase', done.phase)
  const decision =
    done.field === null
      ? phase
      : tell('orders.on', { decision: phase, field: nameIn(table.field(done.field).name), talers: done.price })
  return tell('orders.at', { era: roman(done.era), round: done.round, decision })
}
