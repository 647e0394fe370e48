// What a field is and may become worth: asked again whenever something has happened.
import type { FieldWorth } from './protocol'
import type { Table } from './table.svelte'

export type FieldReport = Pick<FieldWorth, 'worth' | 'prospects' | 'claim_limit'>

/** While auctions rush by nobody reads this, and the server need not be asked. */
const CALM = 120

/** The answer for the field of the moment, null until it is there; for the life of the component that asks. */
export function reportOn(table: () => Table, field: () => string): { readonly current: FieldReport | null } {
  let known: { field: string; report: FieldReport | null } = $state.raw({ field: '', report: null })
  $effect(() => {
    const [asking, asked] = [table(), field()]
    void asking.view.version
    let isCurrent = true
    const timer = setTimeout(() => {
      asking.reportOn(asked).then(
        (report) => {
          if (isCurrent) known = { field: asked, report }
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
    get current() {
      return known.field === field() ? known.report : null
    },
  }
}
