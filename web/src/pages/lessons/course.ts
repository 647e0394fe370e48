// The lessons of both editions and which of them this browser has done.
import { ask } from '../../lib/api'
import type { Edition, LessonInfo, Lessons } from '../../lib/protocol'

const PLACE = 'industry.lessons'

/** Known without asking: the list is shown even where the server does not answer. */
let asked: Promise<LessonInfo[]> | null = null

export function lessons(): Promise<LessonInfo[]> {
  asked ??= ask<Lessons>('lessons').then((answer) => answer.lessons)
  asked.catch(() => (asked = null))
  return asked
}

export function ofEdition(all: readonly LessonInfo[], edition: Edition): string[] {
  return all.filter((lesson) => lesson.edition === edition).map((lesson) => lesson.name)
}

/** The lessons that are done here, as `edition/name`. */
export function doneLessons(): string[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(PLACE) ?? '[]')
    return Array.isArray(found) ? found.filter((one): one is string => typeof one === 'string') : []
  } catch {
    return []
  }
}

/** Keep that a lesson is done. */
export function markDone(edition: Edition, name: string): void {
  try {
    localStorage.setItem(PLACE, JSON.stringify([...new Set([...doneLessons(), `${edition}/${name}`])]))
  } catch {
    // without storage lessons can be taken all the same
  }
}
