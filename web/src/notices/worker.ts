// The service worker: keeps the page for hours without a network, and shows push messages.
//
// A version of the page is kept as a whole under its own name and never mixed with another. With a
// network the page itself always comes from the server.

/** Put in by the build: the files of this version of the page. */
declare const __PAGE_FILES__: string[]
declare const __PAGE_VERSION__: string

interface WaitEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface AskEvent extends WaitEvent {
  readonly request: Request
  respondWith(answer: Promise<Response>): void
}
interface MessageEvent extends WaitEvent {
  readonly data: { json(): unknown } | null
}
interface ClickEvent extends WaitEvent {
  readonly notification: Notification
}
interface Page {
  readonly url: string
  focus(): Promise<unknown>
}
interface Scope {
  readonly registration: ServiceWorkerRegistration
  readonly location: Location
  readonly navigator: Navigator & { setAppBadge?: (count: number) => Promise<void> }
  readonly clients: {
    matchAll(options: object): Promise<Page[]>
    openWindow(url: string): Promise<unknown>
  }
  addEventListener(kind: 'install' | 'activate', handle: (event: WaitEvent) => void): void
  addEventListener(kind: 'fetch', handle: (event: AskEvent) => void): void
  addEventListener(kind: 'push', handle: (event: MessageEvent) => void): void
  addEventListener(kind: 'notificationclick', handle: (event: ClickEvent) => void): void
}
const scope = self as unknown as Scope

/** What the server sends (`notices/sending.py`). */
interface Message {
  title: string
  body: string
  tag: string
  path: string
  waiting: number | null
}

const FILES = __PAGE_FILES__
const PAGE = `page-${__PAGE_VERSION__}`
const SEEN = 'seen'
/** Answers that are kept of what was seen; the oldest go first. */
const MOST_SEEN = 80
/** What is worth keeping: boards, bots, lessons, a table as everybody sees it, and its record. */
const KEPT = /^\/api\/(boards(\/[^/]+)?|bots|lessons(\/.+)?|tables\/[a-z0-9]{12}(\/record)?)$/
/** Questions that always have the same answer. */
const FIXED = new Set(['/api/replay', '/api/replay/worth'])

scope.addEventListener('install', (event) => event.waitUntil(install()))
scope.addEventListener('activate', (event) => event.waitUntil(clean()))
scope.addEventListener('push', (event) => event.waitUntil(show(event.data?.json() as Message)))
scope.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open((event.notification.data as { path: string }).path))
})
scope.addEventListener('fetch', (event) => {
  const answer = answerTo(event.request)
  if (answer) event.respondWith(answer)
})

async function install(): Promise<void> {
  const cache = await caches.open(PAGE)
  await cache.addAll(['/', ...FILES].map((path) => new Request(path, { cache: 'no-cache' })))
  await lessons().catch(() => undefined)
}

/** All lessons, as they begin. */
async function lessons(): Promise<void> {
  const answer = await fetch('/api/lessons')
  const seen = await caches.open(SEEN)
  await seen.put('/api/lessons', answer.clone())
  const found = ((await answer.json()) as { lessons: { edition: string; name: string }[] }).lessons
  await Promise.all(found.map(({ edition, name }) => seen.add(`/api/lessons/${edition}/${name}`)))
}

async function clean(): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith('page-') && name !== PAGE) await caches.delete(name)
}

/** How a request is answered; nothing where that is the network's business alone. */
function answerTo(request: Request): Promise<Response> | null {
  const url = new URL(request.url)
  if (url.origin !== scope.location.origin) return null
  if (request.mode === 'navigate') return url.pathname.startsWith('/api/') ? null : pageOr(request)
  if (request.method === 'POST' && FIXED.has(url.pathname)) return replayOr(request)
  if (request.method !== 'GET') return null
  if (FILES.includes(url.pathname)) return fileOr(request)
  return KEPT.test(url.pathname) ? seenOr(request, request.url) : null
}

async function pageOr(request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    const kept = await (await caches.open(PAGE)).match('/')
    if (kept) return kept
    throw error
  }
}

async function fileOr(request: Request): Promise<Response> {
  const kept = await (await caches.open(PAGE)).match(request.url, { ignoreVary: true })
  return kept ?? fetch(request)
}

/** The network's answer, which is kept, or the last one that was. */
async function seenOr(request: Request, key: string): Promise<Response> {
  const seen = await caches.open(SEEN)
  try {
    const answer = await fetch(request)
    if (answer.ok) await keep(seen, key, answer.clone())
    return answer
  } catch (error) {
    const kept = await seen.match(key, { ignoreVary: true })
    if (kept) return kept
    throw error
  }
}

async function keep(seen: Cache, key: string, answer: Response): Promise<void> {
  await seen.delete(key)
  await seen.put(key, answer)
  const keys = (await seen.keys()).filter(({ url }) => !url.includes('/api/lessons'))
  for (const old of keys.slice(0, Math.max(0, keys.length - MOST_SEEN))) await seen.delete(old)
}

/** A record that was replayed here before can be replayed again. */
async function replayOr(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  const digest = await crypto.subtle.digest('SHA-256', await request.clone().arrayBuffer())
  const name = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return seenOr(request, `${pathname}?of=${name}`)
}

async function show(message: Message): Promise<void> {
  if (message.waiting !== null) await scope.navigator.setAppBadge?.(message.waiting)
  await scope.registration.showNotification(message.title, {
    body: message.body,
    tag: message.tag,
    icon: '/icon-192.png',
    data: { path: message.path },
  })
}

/** Focus the table where it is open, else open it. */
async function open(path: string): Promise<void> {
  const pages = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const found = pages.find((page) => new URL(page.url).pathname === path)
  await (found ? found.focus() : scope.clients.openWindow(path))
}

export type { Message }
