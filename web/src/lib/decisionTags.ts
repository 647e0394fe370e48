// What the feet of the cards say while this screen decides: which field can be offered or developed.
import type { Tag } from '../board/Board.svelte'
import { plansOf } from './developmentOptions'
import { say } from './i18n.svelte'
import { readLine } from './notation'
import type { Choice, GameView, Yours } from './protocol'

export type Tags = ReadonlyMap<string, Tag>
export const NO_TAGS: Tags = new Map()

/** Returns the tag of each field that the decision is about. */
export function decisionTags(game: GameView, yours: Yours, choiceOf: (line: string) => Choice | null): Tags {
  if (game.phase === 'offer') return offerTags(yours)
  if (game.phase === 'develop') return new Map([...lockedTags(game, yours.seat), ...priceTags(yours, choiceOf)])
  return NO_TAGS
}

function offerTags(yours: Yours): Tags {
  const offers = yours.legal.map(readLine).filter((move) => move.verb === 'offer')
  return new Map(offers.map((move) => [move.field, { text: say('web.board.offer_it'), kind: 'pick' }]))
}

function lockedTags(game: GameView, seat: number): Tags {
  const own = Object.entries(game.fields).filter(([, { owner, status }]) => owner === seat && status === 'undeveloped')
  return new Map(own.map(([id]) => [id, { text: say('web.board.locked'), kind: 'no' }]))
}

function priceTags(yours: Yours, choiceOf: (line: string) => Choice | null): Tags {
  return new Map(
    plansOf(yours.legal, choiceOf).map((plan) => {
      const prices = plan.lines.map(choiceOf).flatMap((choice) => (choice ? [-choice.talers[yours.seat - 1]!] : []))
      const count = prices.length ? Math.min(...prices) : 0
      return [plan.field, { text: say('web.board.pay', { count }), kind: 'pay' }]
    }),
  )
}
