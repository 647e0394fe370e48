// Who takes part in a cup, as this language calls them.
import { botName } from '../lib/bots'
import type { CupView } from '../lib/protocol'
import { tell } from './words'

/** The name of an entrant by number; bots that are in it twice are numbered, 0 is a bot of the house. */
export function entrantName({ entrants }: CupView, number: number): string {
  const one = entrants[number - 1]
  if (!one) return tell('cups.house')
  if (one.bot === null) return one.name
  const alike = entrants.filter((other) => other.bot === one.bot)
  return alike.length > 1 ? `${botName(one.bot)} ${alike.indexOf(one) + 1}` : botName(one.bot)
}
