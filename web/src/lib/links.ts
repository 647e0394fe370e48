// Links that people send each other. Secrets of seats stand after #, which no server ever sees.
const CODE = /^[a-z0-9]{12}$/

/** The path of a table in what somebody typed or pasted: its code, or any of its links. */
export function tableIn(text: string): string | null {
  const typed = text.trim()
  if (CODE.test(typed.toLowerCase())) return `/table/${typed.toLowerCase()}`
  try {
    const url = new URL(typed, location.origin)
    const code = /^\/table\/([a-z0-9]{12})$/.exec(url.pathname)?.[1]
    return code ? `/table/${code}${url.search}${url.hash}` : null
  } catch {
    return null
  }
}

/** Whether this page's address means this computer alone. */
export function isLocal(): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname)
}

/** A link to a table; `origin` where others reach the server under another address. */
export function inviteLink(table: string, origin: string = location.origin): string {
  return `${origin}/table/${table}`
}

/** Opens the table without offering a seat. */
export function watchLink(table: string): string {
  return `${inviteLink(table)}?watch`
}

/** Anyone who has this link acts for these seats, on any device. */
export function seatLink(table: string, tokens: readonly string[]): string {
  return `${inviteLink(table)}#${tokens.join(',')}`
}
