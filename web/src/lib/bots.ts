// Bots as people call them. Those of the package have names and hints in every language.
import { bots } from './api'
import { say, type Key } from './i18n.svelte'
import type { BotInfo, SeatView } from './protocol'

const OWN = ['random', 'apprentice', 'foreman', 'engineer', 'director', 'magnate'] as const
/** Who plays against a newcomer who does not choose: of the second and third level. */
export const MIXED: readonly string[] = ['foreman', 'engineer', 'foreman']

let asked: Promise<BotInfo[]> | null = null

/** The bots that the server has, weakest first; asked for once. */
export function installedBots(): Promise<BotInfo[]> {
  asked ??= bots().then((answer) => answer.bots)
  asked.catch(() => (asked = null))
  return asked
}

function isOwn(bot: string): boolean {
  return (OWN as readonly string[]).includes(bot)
}

export function botName(bot: string): string {
  return isOwn(bot) ? say(`pages.bot.${bot}.name` as Key) : bot
}

export function botHint(bot: BotInfo): string {
  return isOwn(bot.name) ? say(`pages.bot.${bot.name}.hint` as Key) : say('pages.bot.unknown', { level: bot.level })
}

/** How strong a bot was measured to be, as a sentence; empty where nobody has measured it. */
export function botStrength({ measured }: BotInfo): string {
  if (!measured) return ''
  const [low, high] = [measured.low, measured.high].map((share) => Math.round(share * 100))
  const values = { other: botName(measured.other), low: low === high ? `${low} %` : `${low}–${high} %` }
  return say(measured.wins ? 'pages.bot.strength.beats' : 'pages.bot.strength.loses', values)
}

/** The name of a seat; bots of the package are called as this language calls them. */
export function seatName(seat: SeatView): string {
  const { bot, bot_number: number } = seat
  if (!bot || !isOwn(bot) || !number) return seat.name
  return number === 1 ? botName(bot) : `${botName(bot)} ${number}`
}
