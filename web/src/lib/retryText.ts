// How long to wait, as a sentence.
import { say } from './i18n.svelte'

/** “Try again in …”; empty where nobody said how long. */
export function waitText(seconds: number | null | undefined): string {
  if (!seconds) return ''
  if (seconds < 90) return say('web.wait.seconds', { count: seconds })
  return say('web.wait.minutes', { count: Math.ceil(seconds / 60) })
}

/** A sentence, and behind it how long to wait. */
export function withWait(sentence: string, seconds: number | null | undefined): string {
  return [sentence, waitText(seconds)].filter(Boolean).join(' ')
}
