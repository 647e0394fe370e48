import { beforeAll, describe, expect, it } from 'vitest'
import { seatName } from './bots'
import { speak } from './i18n.svelte'
import { prefs } from './prefs.svelte'
import type { SeatView } from './protocol'

function seat(name: string, bot: string | null, bot_number: number | null): SeatView {
  const kind = bot ? 'bot' : 'human'
  return { seat: 1, kind, name, bot, bot_number, person: null, absent: false, claimed: !bot, taken_back: 0, hints: 0 }
}

describe('the name of a seat in German', () => {
  beforeAll(async () => {
    prefs.language = 'de'
    await speak('de')
  })

  it('is that of the bot, with its number from the second on', () => {
    expect(seatName(seat('Foreman', 'foreman', 1))).toBe('Vorarbeiter')
    expect(seatName(seat('Foreman 2', 'foreman', 2))).toBe('Vorarbeiter 2')
  })

  it('is the stored one for people, bots of others and bots under another name', () => {
    expect(seatName(seat('Foreman 2', null, null))).toBe('Foreman 2')
    expect(seatName(seat('AlphaBuilder 2', 'alphaBuilder', 2))).toBe('AlphaBuilder 2')
    expect(seatName(seat('Foreman II', 'foreman', null))).toBe('Foreman II')
  })
})
