// What a browser does for a page that can be installed: the service worker, and the badge.
import { myGames } from '../lib/myGames'

type Badged = Navigator & { setAppBadge?: (count: number) => Promise<void>; clearAppBadge?: () => Promise<void> }

/** Show how many turns wait, and take away messages about turns that do not. */
async function refresh(): Promise<void> {
  if (document.visibilityState !== 'visible') return
  const worker = await navigator.serviceWorker.getRegistration()
  const shown = (await worker?.getNotifications?.()) ?? []
  const { setAppBadge, clearAppBadge } = navigator as Badged
  if (!shown.length && !setAppBadge) return
  const waiting = (await myGames()).filter((game) => game.yourTurn).map((game) => `/table/${game.id}`)
  for (const one of shown) {
    const { path } = one.data as { path: string }
    if (!waiting.includes(path) || path === location.pathname) one.close()
  }
  await (waiting.length ? setAppBadge?.call(navigator, waiting.length) : clearAppBadge?.call(navigator))
}

/** Begin once the page is shown: nothing here is needed for that. */
export async function install(): Promise<void> {
  await navigator.serviceWorker.register('/sw.js')
  const quietly = (): void => void refresh().catch(() => undefined)
  document.addEventListener('visibilitychange', quietly)
  quietly()
}
