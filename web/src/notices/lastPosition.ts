// The last known position of a table stays on this device, to be looked at without a network.
import type { Entry, TableView } from '../lib/protocol'
import type { Table } from '../lib/table.svelte'

const PLACE = 'positions'
const MOST = 30

interface Position {
  view: TableView
  log: Entry[]
}

/** Keep what is known of a table, or show what was known of it while nobody answers. */
export async function keepOrShow(id: string, table: Table): Promise<void> {
  const kept = await caches.open(PLACE)
  const key = `/positions/${id}`
  if (table.view) {
    const position: Position = { view: table.view, log: table.log }
    await kept.delete(key)
    await kept.put(key, new Response(JSON.stringify(position)))
    const keys = await kept.keys()
    for (const old of keys.slice(0, Math.max(0, keys.length - MOST))) await kept.delete(old)
    return
  }
  const found = table.link === 'open' ? undefined : await kept.match(key)
  if (!found) return
  const position = (await found.json()) as Position
  // the server may have answered meanwhile
  if (!table.view) table.replaced({ ...position, yours: [] })
}
