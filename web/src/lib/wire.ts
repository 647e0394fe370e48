// What a table asks of the server, whoever answers: the socket, the gallery or a test.
import type { Emote, ErrorMessage, FieldWorth, Step, Why } from './protocol'

export interface Wire {
  /** Resolves to the version that it became, once it is durable. */
  move(seat: number, line: string): Promise<number>
  command(type: 'undo' | 'leave' | 'resign' | 'return', seat: number): Promise<number>
  standIn(seat: number, target: number): Promise<number>
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
