// Addresses of the client. The part after # never reaches the server: it holds secrets of seats.
export interface Place {
  page:
    | 'start'
    | 'table'
    | 'lobby'
    | 'new'
    | 'replay'
    | 'rules'
    | 'tutorial'
    | 'daily'
    | 'review'
    | 'me'
    | 'person'
    | 'operator'
    | 'cups'
    | 'cup'
    | 'club'
    | 'ratings'
    | 'unsubscribe'
    | 'missing'
  /** The table's id, where the page is about one. */
  table: string
  /** What stands after #. */
  hash: string
  query: URLSearchParams
}

const PAGES = [
  'lobby',
  'new',
  'replay',
  'rules',
  'tutorial',
  'daily',
  'review',
  'me',
  'person',
  'operator',
  'cups',
  'cup',
  'club',
  'ratings',
  'unsubscribe',
] as const

export function placeOf(url: URL): Place {
  const [first = '', second = ''] = url.pathname.split('/').filter(Boolean)
  const place = { table: second, hash: url.hash.slice(1), query: url.searchParams }
  if (first === '') return { ...place, page: 'start' }
  if (first === 'table' && /^[a-z0-9]{12}$/.test(second)) return { ...place, page: 'table' }
  const page = PAGES.find((name) => name === first)
  return { ...place, page: page ?? 'missing' }
}

let shown = $state.raw(placeOf(new URL(location.href)))

export function here(): Place {
  return shown
}

/** Goes to another page of the client without reloading anything. */
export function go(path: string, { replace = false } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', path)
  arrive()
  scrollTo(0, 0)
}

function arrive(): void {
  shown = placeOf(new URL(location.href))
}

/** Let the browser's own buttons and all links within the page be followed by `here`. */
export function followLinks(): void {
  addEventListener('popstate', arrive)
  addEventListener('hashchange', arrive)
  addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (!link || !plain || event.defaultPrevented || link.target || link.hasAttribute('download')) return
    if (link.origin !== location.origin || link.pathname.startsWith('/api/')) return
    if (link.pathname === location.pathname && link.hash) return
    event.preventDefault()
    go(link.pathname + link.search + link.hash)
  })
}
