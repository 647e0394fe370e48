// What went wrong with a person, as a sentence.
import { Refused } from '../lib/api'
import { problemText } from '../lib/errorText'
import { knows, say, type Key } from '../lib/i18n.svelte'

/** The sentence about an error of signing in, or of any other request. */
export function clubProblem(error: unknown): string {
  if (error instanceof DOMException) return say('club.problem.cancelled' as Key)
  const code = error instanceof Refused ? error.code : 'internal'
  const key = `club.problem.${code}`
  return knows(key) ? say(key) : problemText(error)
}
