// A view grown event by event: for playing back what happened. No rule is needed for that: events
// say what changed, and who decides next is seen from the entry that follows.
import { readLine, type Move } from './notation'
import { remaining } from './gameLog'
import type { BoardInfo, Entry, FieldStatus, GameEvent, GameView, PhaseName } from './protocol'

const PHASE_OF: Partial<Record<Move['verb'], PhaseName>> = {
  draw: 'draw',
  offer: 'offer',
  bid: 'bid',
  pass: 'bid',
  sell: 'settle',
  claim: 'settle',
  develop: 'develop',
  done: 'develop',
}

/** The view before anything has happened. */
export function emptyView(board: BoardInfo, players: number): GameView {
  const zeros = Array.from({ length: players }, () => 0)
  const eras = board.fields.filter((field) => field.makes)
  return {
    moves: 0,
    round: 0,
    era: 1,
    phase: 'draw',
    actor: null,
    starting_player: 1,
    auctioneer: null,
    auction: null,
    available: [],
    tokens: freshTokens(),
    talers: [...zeros],
    points: [...zeros],
    subsidies: [...zeros],
    hands: [...zeros],
    fields: {},
    market: Object.fromEntries(
      board.resources.map((resource) => {
        const first = Math.min(...eras.filter((field) => field.makes === resource).map((field) => Number(field.id[0])))
        return [resource, { makers: [], bank: false, bank_era: first + 1 }]
      }),
    ),
    score: [],
    winners: [],
  }
}

function freshTokens(): GameView['tokens'] {
  return Object.fromEntries([...'ABCDEFGHIJKL'].map((letter) => [letter, 'bag' as const]))
}

/** The view after an entry; `next` are the entries after it. */
export function grown(view: GameView, entry: Entry, next: readonly Entry[], board: BoardInfo): GameView {
  return awaiting(happened(view, entry, board), next, board)
}

/** The view after so many entries of a log from its beginning; moves that were taken back leave no trace. */
export function viewAfter(count: number, log: readonly Entry[], players: number, board: BoardInfo): GameView {
  let view = emptyView(board, players)
  for (const { entry } of remaining(log.slice(0, count))) view = happened(view, entry, board)
  return awaiting(view, log.slice(count), board)
}

function happened(view: GameView, entry: Entry, board: BoardInfo): GameView {
  let now: GameView = { ...view, moves: view.moves + (entry.kind === 'move' ? 1 : 0) }
  for (const event of entry.events) now = after(now, event, board)
  return now
}

/** What follows from where the game stands: who decides, and what can be bought. */
function awaiting(view: GameView, next: readonly Entry[], board: BoardInfo): GameView {
  const now = { ...view, ...awaited(next, view), market: marketOf(view, board) }
  const isAuction = ['offer', 'bid', 'settle'].includes(now.phase)
  return isAuction ? now : { ...now, auctioneer: null }
}

/** Who decides next, and what about. */
function awaited(next: readonly Entry[], view: GameView): Pick<GameView, 'actor' | 'phase'> {
  if (view.phase === 'over') return { actor: null, phase: 'over' }
  const first = next.find((entry) => entry.kind === 'move' && entry.line)
  if (!first) return { actor: view.actor, phase: view.phase }
  const telling = next.find((entry) => entry.line && PHASE_OF[readLine(entry.line).verb])
  const phase = telling?.line ? PHASE_OF[readLine(telling.line).verb] : undefined
  return { actor: first.seat, phase: phase ?? view.phase }
}

function marketOf(view: GameView, board: BoardInfo): GameView['market'] {
  const makers: Record<string, Set<number>> = {}
  for (const field of board.fields) {
    const owned = view.fields[field.id]
    if (field.makes && owned?.status === 'developed' && owned.owner)
      (makers[field.makes] ??= new Set()).add(owned.owner)
  }
  let isSame = true
  const market = Object.entries(view.market).map(([resource, before]) => {
    const known = [...(makers[resource] ?? [])].sort()
    const bank = !known.length && view.era >= before.bank_era
    if (bank === before.bank && known.join() === before.makers.join()) return [resource, before]
    isSame = false
    return [resource, { makers: known, bank, bank_era: before.bank_era }]
  })
  // nearly always nothing has changed, and what shows the market need not look again
  return isSame ? view.market : Object.fromEntries(market)
}

function changed(list: readonly number[], seat: number | null, by: number): number[] {
  return list.map((value, index) => (index + 1 === seat ? value + by : value))
}

function owned(view: GameView, field: string, owner: number, status: FieldStatus): GameView {
  return { ...view, fields: { ...view.fields, [field]: { owner, status } } }
}

function won(view: GameView, field: string, owner: number, board: BoardInfo): GameView {
  const kind = board.fields.find((info) => info.id === field)?.kind
  const taken = owned(view, field, owner, kind === 'joker' ? 'held' : 'undeveloped')
  return {
    ...taken,
    auction: null,
    available: view.available.filter((other) => other !== field),
    tokens: { ...view.tokens, [field[1]!]: 'down' },
  }
}

/** A joker of that resource leaves the hand. */
function spent(view: GameView, seat: number, joker: string, board: BoardInfo): GameView {
  const field = board.fields.find((info) => {
    const now = view.fields[info.id]
    return info.joker === joker && now?.owner === seat && now.status === 'held'
  })
  return field ? owned(view, field.id, seat, 'spent') : view
}

function offered(view: GameView, seat: number, field: string): GameView {
  const players = view.talers.length
  const order = view.talers.map((_, step) => ((seat + step) % players) + 1)
  const bids = view.talers.map(() => null)
  return { ...view, auction: { field, auctioneer: seat, order, bids, high_bid: 0, high_bidder: null } }
}

function bid(view: GameView, seat: number, talers: number): GameView {
  if (!view.auction) return view
  const bids = view.auction.bids.map((old, index) => (index + 1 === seat ? talers : old))
  const high = talers > view.auction.high_bid ? { high_bid: talers, high_bidder: seat } : {}
  return { ...view, auction: { ...view.auction, bids, ...high } }
}

type Handler<Type extends GameEvent['type']> = (
  view: GameView,
  event: Extract<GameEvent, { type: Type }>,
  board: BoardInfo,
) => GameView

/** What each event changes in a view. */
const HANDLERS: { [Type in GameEvent['type']]: Handler<Type> } = {
  talers_moved: (view, event) => ({
    ...view,
    talers: changed(changed(view.talers, event.source, -event.amount), event.target, event.amount),
  }),
  round_started: (view, event) => ({
    ...view,
    round: event.number,
    era: event.era,
    starting_player: event.starting_player,
    auctioneer: null,
    phase: 'draw',
  }),
  tokens_drawn: (view, event) => {
    const drawn = Object.fromEntries(event.fields.map((field) => [field[1]!, 'up' as const]))
    const tokens = { ...view.tokens, ...drawn }
    return { ...view, tokens, available: [...event.fields].sort(), auctioneer: view.starting_player }
  },
  field_offered: (view, event) => offered(view, event.seat, event.field),
  bid_made: (view, event) => bid(view, event.seat, event.talers),
  bid_passed: (view, event) => bid(view, event.seat, 0),
  field_sold: (view, event, board) => won(view, event.field, event.buyer, board),
  field_claimed: (view, event, board) => won(view, event.field, event.seat, board),
  field_taken: (view, event, board) => won(view, event.field, event.seat, board),
  auctioneer_changed: (view, event) => ({ ...view, auctioneer: event.seat }),
  resource_provided: (view, event, board) => {
    const joker = event.source === 'any' ? 'any' : event.source === 'joker' ? event.resource : ''
    return joker ? spent(view, event.seat, joker, board) : view
  },
  field_developed: (view, event) => ({
    ...owned(view, event.field, event.seat, 'developed'),
    points: changed(view.points, event.seat, event.points),
  }),
  subsidy_taken: (view, event) => ({ ...view, subsidies: changed(view.subsidies, event.seat, 1) }),
  tile_cashed: (view, event) => owned(view, event.field, event.seat, 'spent'),
  starting_player_changed: (view, event) => ({ ...view, starting_player: event.seat }),
  era_changed: (view, event) => ({ ...view, era: event.era, tokens: freshTokens() }),
  technology_lapsed: (view, event) => owned(view, event.field, event.seat, 'lapsed'),
  game_ended: (view) => ({ ...view, phase: 'over', auctioneer: null }),
  turn_ended: (view) => view,
  points_scored: (view) => view,
}

function after(view: GameView, event: GameEvent, board: BoardInfo): GameView {
  const handle = HANDLERS[event.type] as Handler<GameEvent['type']>
  return handle(view, event, board)
}
