import type { RepeatOptions } from '../../kernel/jobs/background-jobs.ts'
import { applyFacetCountChanges } from '../../kernel/store/figures/facet-counts.ts'
import type { Db } from '../../kernel/store/sql.ts'

/** Adds changes to the counts by facets, so that few have to be added up when a count is read. */
export const facetCountsJob = (db: Db): RepeatOptions => ({
  name: 'counts of records',
  everyMs: 5000,
  logOnce: true,
  run: () => db.inTransaction(applyFacetCountChanges),
})
