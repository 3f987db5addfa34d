import type { ScanThresholds } from '../../server/src/kernel/query/scan.ts'
import type { Db } from '../../server/src/kernel/store/sql.ts'

/** Settings of a list scan that make it switch strategies after a few rows. */
export interface ScanVariant {
  readonly thresholds?: ScanThresholds
  readonly chunkRows?: number
}

/** The defaults, and variants that reach every strategy with few rows. */
export const scanVariants: readonly ScanVariant[] = [
  {},
  {
    thresholds: { selective: 3, sortable: 6, sampleRows: 5, sampleHits: 2, mainThreadOffset: 2 },
    chunkRows: 3,
  },
  {
    thresholds: { selective: 1, sortable: 1000, sampleRows: 5, sampleHits: 5, mainThreadOffset: 1000 },
    chunkRows: 1,
  },
  {
    thresholds: { selective: 0, sortable: 0, sampleRows: 1, sampleHits: 0, mainThreadOffset: 0 },
    chunkRows: 4,
  },
]

/** Returns a handle with the chunk size of the variant. */
export const withChunkRows = (db: Db, { chunkRows = db.dialect.chunkRows }: ScanVariant): Db => ({
  ...db,
  dialect: { ...db.dialect, chunkRows },
})
