import type { Table } from '../tables.ts'

/** Progress of a transaction that inserts many rows. Belongs to the functions that bulk loads call. */
export interface BulkState {
  /** Tables whose new texts are added to the substring index at the end. */
  deferredTexts: readonly Table[]
  /** Numbers of the values in side tables whose rows are buffered; undefined if none are. */
  sideValues: SideValues | undefined
  /** The last name of each extension that was stored, to skip repeats. */
  extensionNames: { readonly org: number; readonly names: Map<unknown, unknown> } | undefined
}

/** Numbers of values, by side table. */
type SideValues = Map<string, { org: number; readonly numbers: Map<string, number>; last: number }>

export const emptyBulkState = (): BulkState => ({
  deferredTexts: [],
  sideValues: undefined,
  extensionNames: undefined,
})
