// What went wrong, as a sentence.
import { Refused } from './api'
import { say, type Key } from './i18n.svelte'

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
  'store_unavailable',
  'too_large',
  'bad_record',
  'unknown_board',
]

export function problemText(error: unknown): string {
  const code = error instanceof Refused ? error.code : 'internal'
  return KNOWN.includes(code) ? say(`pages.error.${code}` as Key) : say('pages.error.unknown', { code })
}
