import type { WalkBounds } from '../../server/src/kernel/query/list.ts'
import type { Db } from '../../server/src/kernel/store/sql.ts'

/** A way of walking a list: where one way of finding rows gives way to another. */
export interface WalkWay {
  readonly bounds?: WalkBounds
  readonly chunkRows?: number
}

/** The usual way, and some where every way of finding rows gives way to the next after a few of them. */
export const walkWays: readonly WalkWay[] = [
  {},
  { bounds: { narrow: 3, sortable: 6, sample: 5, sampleHits: 2, quickOffset: 2 }, chunkRows: 3 },
  { bounds: { narrow: 1, sortable: 1000, sample: 5, sampleHits: 5, quickOffset: 1000 }, chunkRows: 1 },
  { bounds: { narrow: 0, sortable: 0, sample: 1, sampleHits: 0, quickOffset: 0 }, chunkRows: 4 },
]

/** The store with the stretches of this way. */
export const inStretches = (db: Db, { chunkRows = db.dialect.chunkRows }: WalkWay): Db => ({
  ...db,
  dialect: { ...db.dialect, chunkRows },
})
