// What a field is worth to each seat: asked again whenever something has happened.
import type { Worth } from './protocol'
import type { Table } from './table.svelte'

/** While auctions rush by nobody reads this, and the server need not be asked. */
const CALM = 120

/** The answer for the field of the moment, none until it is there; for the life of the component that asks. */
export function worthTo(table: () => Table, field: () => string): { readonly each: Worth[] } {
  let known: { field: string; each: Worth[] } = $state.raw({ field: '', each: [] })
  $effect(() => {
    const [asking, asked] = [table(), field()]
    void asking.view.version
    let isCurrent = true
    const timer = setTimeout(() => {
      asking.worth(asked).then(
        (found) => {
          if (isCurrent) known = { field: asked, each: found }
        },
        () => undefined, // without a connection it stays as it is
      )
    }, CALM)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  })
  return {
    get each() {
      return known.field === field() ? known.each : []
    },
  }
}
