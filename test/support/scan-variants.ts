import type { ListLimits } from '../../server/src/kernel/query/list.ts'
import { defaultLimits } from '../../server/src/kernel/query/plan.ts'
import type { ScanBudget } from '../../server/src/kernel/query/sorted-list.ts'

/** Budget that reads all rows of a small list in one page. */
export const usualBudget: ScanBudget = { ...defaultLimits, pageRows: 20_000, pageMs: 0 }

/** Budget that splits each page into chunks and ends it before it is full. */
export const smallBudget: ScanBudget = {
  countedRows: 2,
  sortedRows: 2,
  sampleRows: 4,
  sampleHits: 2,
  firstRows: 3,
  chunkRows: 3,
  pageRows: 6,
  pageMs: 0,
}

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
