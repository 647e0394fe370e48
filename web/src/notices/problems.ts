// What went wrong with notices, in words.
import { Refused } from '../lib/api'
import { problemText } from '../lib/errorText'
import { Denied } from './channels'
import { tell } from './words'

const BY_DETAIL = {
  code: 'notices.mail.wrong',
  mail: 'notices.mail.not_sent',
  channels: 'notices.full',
  address: 'notices.bad',
  url: 'notices.bad',
  endpoint: 'notices.bad',
} as const

export function problemOf(error: unknown): string {
  if (error instanceof Denied) return tell('notices.device.denied')
  if (error instanceof DOMException) return tell('notices.device.failed')
  if (error instanceof Refused && error.detail in BY_DETAIL)
    return tell(BY_DETAIL[error.detail as keyof typeof BY_DETAIL])
  return problemText(error)
}
