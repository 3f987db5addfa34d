import type { ListLimits } from '../../server/src/kernel/query/list.ts'

/** The default limits of a list scan, and limits that reach every strategy with few rows. */
export const scanVariants: readonly (ListLimits | undefined)[] = [
  undefined,
  {
    countedRows: 3,
    sortedRows: 6,
    sampleRows: 5,
    sampleHits: 2,
    firstRows: 2,
    chunkRows: 3,
    mainThreadOffset: 2,
  },
  {
    countedRows: 1,
    sortedRows: 1000,
    sampleRows: 5,
    sampleHits: 5,
    firstRows: 1,
    chunkRows: 1,
    mainThreadOffset: 1000,
  },
  {
    countedRows: 0,
    sortedRows: 0,
    sampleRows: 1,
    sampleHits: 0,
    firstRows: 4,
    chunkRows: 4,
    mainThreadOffset: 0,
  },
]
