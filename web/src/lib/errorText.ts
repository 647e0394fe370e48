// What went wrong, as a sentence.
import { Refused } from './api'
import { say, type Key } from './i18n.svelte'
import { withWait } from './retryText'

const KNOWN = [
  'unreachable',
  'no_table',
  'seat_taken',
  'table_full',
  'already_started',
  'not_started',
  'bad_name',
  'unknown_bot',
  'too_many_tables',
  'name_taken',
  'too_fast',
  'busy',
  'table_closed',
  'no_network',
  'store_unavailable',
  'newer_version',
  'not_your_seat',
  'too_large',
  'bad_record',
  'unknown_board',
  'hints_off',
]

export function problemText(error: unknown): string {
  const code = error instanceof Refused ? error.code : 'internal'
  const name = named(error, code)
  const sentence = KNOWN.includes(code) ? say(`pages.error.${name}` as Key) : say('pages.error.unknown', { code })
  return withWait(sentence, error instanceof Refused ? error.retryAfter : null)
}

/** Too many tables in all, or of one's own. */
function named(error: unknown, code: string): string {
  return code === 'too_many_tables' && error instanceof Refused && error.detail === 'address' ? 'own_tables' : code
}
