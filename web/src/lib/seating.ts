// Sitting down: the seat's secret, the promise about the bag, and what was added are kept together.
import { commandId, newLink, randomness, Refused, takeSeat } from './api'
import { heldAt, holdSeats, invite, replaceToken } from './seatTokens'
import type { HeldSeat } from './protocol'

/** Take a seat, with its own link where it is reserved. */
export async function sitDown(
  table: string,
  name: string,
  seat: number | null,
  link?: string,
  asPerson = false,
): Promise<HeldSeat> {
  const addition = randomness()
  const wish = { id: commandId(), name, seat, randomness: addition, as_person: asPerson }
  const taken = await takeSeat(table, wish, link)
  holdSeats(table, [taken], null, { [taken.seat]: addition })
  return taken
}

/** Host: reserve a seat, or replace the link of one that is reserved; the link is for somebody else. */
export async function inviteTo(table: string, seat: number, host: string): Promise<void> {
  invite(table, [await newLink(table, { id: commandId(), seat }, host)])
}

/** Replace the link of one's own seat everywhere but here. */
export async function renewOwnLink(table: string, seat: number): Promise<void> {
  for (const token of heldAt(table)?.tokens ?? []) {
    try {
      const fresh = await newLink(table, { id: commandId(), seat }, token)
      replaceToken(table, token, fresh.token)
      return
    } catch (error) {
      // of several seats at this screen, this is the token of another one
      if (!(error instanceof Refused) || error.code !== 'not_your_seat') throw error
    }
  }
}
