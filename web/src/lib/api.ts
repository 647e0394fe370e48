// The HTTP interface of the server.
import type {
  BoardInfo,
  Boards,
  Bots,
  FreeSeat,
  MomentWish,
  MomentWorth,
  MyTables,
  NewLink,
  NetworkState,
  NewTable,
  Problem,
  Rematch,
  ReplayWish,
  Replayed,
  SeatStandIn,
  SeatToBot,
  HeldSeat,
  TableMade,
  Tables,
  TableView,
  TakeSeat,
} from './protocol'

/** The server's answer was a refusal, or there was none (`unreachable`). */
export class Refused extends Error {
  constructor(
    readonly code: Problem['code'] | 'unreachable',
    readonly detail = '',
    /** Seconds after which it is worth asking again. */
    readonly retryAfter: number | null = null,
  ) {
    super(code)
  }
}

/** A new name for a command; a repeated one gets the first answer again. */
export function commandId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** What a seat adds to the shuffling of the bag. */
export function randomness(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** A successful answer as data; raises `Refused`. */
export async function ask<T>(path: string, body?: object, token?: string): Promise<T> {
  return (await asked(path, body, token)).json() as Promise<T>
}

/** A successful answer; raises `Refused`. */
function asked(path: string, body?: object, token?: string): Promise<Response> {
  return send(body ? 'POST' : 'GET', path, body, token)
}

/** A successful answer to a request of any kind; raises `Refused`. */
export async function send(method: string, path: string, body?: object, token?: string): Promise<Response> {
  const headers: Record<string, string> = body ? { 'content-type': 'application/json' } : {}
  if (token) headers['authorization'] = `Bearer ${token}`
  let answer: Response
  try {
    answer = await fetch(`/api/${path}`, {
      method,
      headers,
      body: body ? JSON.stringify(body) : null,
    })
  } catch {
    throw new Refused('unreachable')
  }
  if (answer.ok) return answer
  const problem = (await answer.json().catch(() => ({ code: 'internal', detail: '' }))) as Problem
  throw new Refused(problem.code, problem.detail, problem.retry_after ?? null)
}

const boards = new Map<string, Promise<BoardInfo>>()

/** A board with the lines of its networks, by its name and, at a table, its hash; asked for once. */
export function board(id: string, hash = ''): Promise<BoardInfo> {
  const path = `boards/${encodeURIComponent(id)}${hash && `?hash=${hash}`}`
  const known = boards.get(path)
  if (known) return known
  const asked = ask<BoardInfo>(path)
  boards.set(path, asked)
  asked.catch(() => boards.delete(path))
  return asked
}

export const boardNames = (): Promise<Boards> => ask('boards')
export const bots = (): Promise<Bots> => ask('bots')
export const lobby = (): Promise<Tables> => ask('tables')
export const makeTable = (wish: NewTable): Promise<TableMade> => ask('tables', wish)
export const tableOf = (table: string): Promise<TableView> => ask(`tables/${table}`)
export const takeSeat = (table: string, wish: TakeSeat, link?: string): Promise<HeldSeat> =>
  ask(`tables/${table}/seats`, wish, link)
export const freeSeat = (table: string, wish: FreeSeat, host: string): Promise<unknown> =>
  ask(`tables/${table}/free`, wish, host)
export const standInFor = (table: string, wish: SeatStandIn, host: string): Promise<unknown> =>
  ask(`tables/${table}/stand_in`, wish, host)
export const newLink = (table: string, wish: NewLink, token: string): Promise<HeldSeat> =>
  ask(`tables/${table}/link`, wish, token)
export const seatBot = (table: string, wish: SeatToBot, host: string): Promise<unknown> =>
  ask(`tables/${table}/bots`, wish, host)
export const rematch = (table: string, wish: Rematch, token: string): Promise<TableMade> =>
  ask(`tables/${table}/rematch`, wish, token)
export const mine = (tokens: string[]): Promise<MyTables> => ask('mine', { tokens })
export const replayRecord = (wish: ReplayWish): Promise<Replayed> => ask('replay', wish)
export const replayWorth = (wish: MomentWish): Promise<MomentWorth> => ask('replay/worth', wish)
/** The text of a table's game record. */
export async function recordOf(table: string): Promise<string> {
  const answer = await asked(`tables/${table}/record`)
  return answer.text()
}
export const recordAddress = (table: string): string => `/api/tables/${table}/record`

/** Whether the person at this machine may open the server to the network, or has. */
export const network = (): Promise<NetworkState> => ask('network')
export const openNetwork = (open: boolean): Promise<NetworkState> => ask('network', { open })
