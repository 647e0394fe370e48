// What a table asks of the server; the socket, the gallery or a test answers.
import type { AnyOrder, Emote, ErrorMessage, FieldWorth, OrdersPreview, Step, Why } from './protocol'

export interface OrdersWire {
  /** Replace a seat's standing orders of that revision. */
  set(seat: number, revision: number, lines: AnyOrder[]): Promise<number>
  /** What orders would do now and at the last decisions. */
  try(seat: number, lines: AnyOrder[]): Promise<OrdersPreview>
}

export interface Wire {
  /** Resolves to the version that it became, once it is durable. */
  move(seat: number, line: string): Promise<number>
  command(type: 'undo' | 'leave' | 'resign' | 'return', seat: number): Promise<number>
  standIn(seat: number, target: number): Promise<number>
  /** Standing orders, where they can be kept: lessons have none. */
  readonly orders?: OrdersWire
  say(seat: number, text: string, emote: Emote | null): void
  /** Whether bots should answer at once rather than think as long as they may. */
  hurry(on: boolean): void
  /** The steps after a version, some at a time. */
  steps(after: number): Promise<Step[]>
  why(line: string): Promise<Why>
  worth(field: string): Promise<FieldWorth>
  close(): void
}

/** Takes the last move back. If bots have moved meanwhile the server calls that stale; then it is asked again. */
export async function takeBack(wire: Wire, seat: number, tries = 3): Promise<number> {
  try {
    return await wire.command('undo', seat)
  } catch (error) {
    if (tries <= 1 || (error as ErrorMessage).code !== 'stale') throw error
    return takeBack(wire, seat, tries - 1)
  }
}
