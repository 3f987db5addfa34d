import type { ScanThresholds } from '../../server/src/kernel/query/list.ts'
import type { Db } from '../../server/src/kernel/store/sql.ts'

/** Limits at which a scan switches its access path. */
export interface ScanVariant {
  readonly bounds?: ScanThresholds
  readonly chunkRows?: number
}

/** The defaults, and some limits that switch to the next access path after a few rows. */
export const scanVariants: readonly ScanVariant[] = [
  {},
  { bounds: { narrow: 3, sortable: 6, sample: 5, sampleHits: 2, quickOffset: 2 }, chunkRows: 3 },
  { bounds: { narrow: 1, sortable: 1000, sample: 5, sampleHits: 5, quickOffset: 1000 }, chunkRows: 1 },
  { bounds: { narrow: 0, sortable: 0, sample: 1, sampleHits: 0, quickOffset: 0 }, chunkRows: 4 },
]

/** Returns the store with the chunk size of a variant. */
export const withChunkRows = (db: Db, { chunkRows = db.dialect.chunkRows }: ScanVariant): Db => ({
  ...db,
  dialect: { ...db.dialect, chunkRows },
})
