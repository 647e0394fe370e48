// How a field looks now, from the view alone.
import { capital, nameIn, say, word } from './i18n.svelte'
import { isLapsing } from './eraEnd'
import type { BoardInfo, FieldInfo, FieldStatus, GameView } from './protocol'
import { roman } from './seats'

export type State = 'future' | 'bag' | 'available' | 'offer' | FieldStatus | 'unplayed'

export interface Look {
  state: State
  owner: number | null
  /** It lapses after this round. */
  isLapsing: boolean
}

/** Industria with three players has no fifth era: its tiles are never drawn. */
export function erasPlayed(board: BoardInfo, players: number): number {
  return board.edition === 'industria' && players === 3 ? 4 : 5
}

const looks = new Map<string, Look>()

/** The same look is the same object, so that a card is redrawn only when it has changed. */
function look(state: State, owner: number | null = null, isLapsing = false): Look {
  const key = `${state} ${owner} ${isLapsing}`
  const known = looks.get(key) ?? { state, owner, isLapsing }
  looks.set(key, known)
  return known
}

export function lookOf(field: FieldInfo, game: GameView, eras: number): Look {
  const owned = game.fields[field.id]
  if (owned) return look(owned.status, owned.owner, isLapsing(field, game))
  if (game.auction?.field === field.id) return look('offer')
  if (game.available.includes(field.id)) return look('available')
  const era = Number(field.id[0])
  if (era > eras) return look('unplayed')
  return look(era > game.era ? 'future' : 'bag')
}

/** Returns the fields of a board by their ids; none before the board is known. */
export function fieldsById(board: BoardInfo | undefined): Map<string, FieldInfo> {
  return new Map(board?.fields.map((field) => [field.id, field]))
}

/** What kind of field it is, in the edition's words. */
export function kindOf(field: FieldInfo, board: BoardInfo): string {
  return field.kind === 'joker' && board.edition === 'industria'
    ? say('web.field.raw_material')
    : word('kind', field.kind)
}

/** Cost, needs and gains in words. */
export function facts(field: FieldInfo): string[] {
  const found: string[] = []
  if (field.kind !== 'joker' && field.kind !== 'technology')
    found.push(say('web.field.costs', { talers: say('talers', { count: field.cost }) }))
  if (field.needs.length)
    found.push(say('web.field.needs', { needs: field.needs.map((need) => word('resource', need)).join(', ') }))
  if (field.makes) found.push(say('web.field.makes', { resource: word('resource', field.makes) }))
  if (field.joker) found.push(say('web.field.gives', { resource: word('resource', field.joker) }))
  if (field.points) found.push(say('points', { count: field.points }))
  if (field.discount) found.push(say('web.field.discount'))
  if (field.bonus)
    found.push(
      say('web.field.per_factory', {
        points: say('points', { count: field.bonus.points }),
        network: word('network', field.bonus.network),
      }),
    )
  if (field.networks.length) found.push(field.networks.map((network) => word('network', network)).join(', '))
  return found
}

/** What has become of it, in words. */
export function fate(look: Look, nameOf: (seat: number) => string): string {
  const name = look.owner ? nameOf(look.owner) : ''
  switch (look.state) {
    case 'future':
      return say('web.fate.future')
    case 'bag':
      return say('web.fate.bag')
    case 'available':
      return say('web.fate.available')
    case 'offer':
      return say('web.fate.offer')
    case 'undeveloped':
      return say(look.isLapsing ? 'web.fate.lapsing' : 'web.fate.undeveloped', { name })
    case 'developed':
      return say('web.fate.developed', { name })
    case 'lapsed':
      return say('web.fate.lapsed', { name })
    case 'held':
      return say('web.fate.held', { name })
    case 'spent':
      return say('web.fate.spent', { name })
    case 'hidden':
      return say('web.fate.hidden')
    case 'unplayed':
      return say('web.fate.unplayed')
  }
}

/** Everything about a field in one sentence, for those who hear the page. */
export function spoken(field: FieldInfo, look: Look, board: BoardInfo, nameOf: (seat: number) => string): string {
  const era = say('web.field.era', { era: roman(Number(field.id[0])) })
  return [`${field.id} ${nameIn(field.name)}`, kindOf(field, board), era, ...facts(field), fate(look, nameOf)]
    .map(capital)
    .join('. ')
}
