// Which edition was played last in this browser: its rules are shown where nothing else is said.
import type { Edition } from './protocol'

const PLACE = 'industry.edition'

export function rememberEdition(edition: Edition): void {
  try {
    localStorage.setItem(PLACE, edition)
  } catch {
    // without storage the rules open with the newer edition
  }
}

export function lastEdition(): Edition {
  try {
    return localStorage.getItem(PLACE) === 'industria' ? 'industria' : 'industry'
  } catch {
    return 'industry'
  }
}
