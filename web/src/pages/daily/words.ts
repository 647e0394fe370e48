// How the result of a daily deal is told: in words, and in one line to share.
import { botName } from '../../lib/bots'
import type { DailyResult, DailyTry } from '../../lib/daily'
import { language, signed, word } from '../../lib/i18n.svelte'
import { tell } from '../lessons/words'

/** A date as people write it; the deal's day is that of UTC. */
export function dayText(date: string): string {
  const options: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }
  return new Intl.DateTimeFormat(language(), options).format(new Date(date))
}

export function planText(one: Pick<DailyTry, 'edition'>, players: number): string {
  return tell('daily.plan', { edition: word('edition', one.edition), count: players })
}

/** How far ahead of a bot, or behind it. */
export function differenceText(result: DailyResult, other: DailyResult['others'][number]): string {
  const ahead = result.points - other.points
  const name = botName(other.bot)
  if (!ahead) return tell('daily.level', { name })
  return tell(ahead > 0 ? 'daily.ahead' : 'daily.behind', {
    name,
    points: tell('daily.points', { count: Math.abs(ahead) }),
  })
}

/** One line to compare, which gives nothing of the deal away. */
export function shareLine(one: DailyTry, result: DailyResult): string {
  return tell('daily.line', {
    date: one.date,
    plan: planText(one, result.players),
    points: tell('daily.points', { count: result.points }),
    place: result.place,
    players: result.players,
    differences: result.others.map((other) => signed(result.points - other.points)).join(' '),
  })
}
