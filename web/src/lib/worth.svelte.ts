// What a field is worth to each seat: asked again whenever something has happened.
import type { Worth } from './protocol'
import type { Table } from './table.svelte'

/** While auctions rush by nobody reads this, and the server need not be asked. */
const CALM = 120

/** The answer for the field of the moment; for the life of the component that asks. */
export function worthTo(table: () => Table, field: () => string): { readonly each: Worth[] } {
  let each: Worth[] = $state.raw([])
  $effect(() => {
    const [asking, asked] = [table(), field()]
    void asking.view.version
    let isCurrent = true
    const timer = setTimeout(() => {
      asking.worth(asked).then(
        (found) => {
          if (isCurrent) each = found
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
      return each
    },
  }
}
