import type { RepeatOptions } from '../../kernel/jobs/background-jobs.ts'
import { applyFacetCountChanges, hasFacetCountChanges } from '../../kernel/store/figures/facet-counts.ts'
import type { Db } from '../../kernel/store/sql.ts'

/** Adds changes to the counts by facets, so that few have to be added up when a count is read. */
export const facetCountsJob = (db: Db): RepeatOptions => ({
  name: 'counts of records',
  everyMs: 5000,
  logOnce: true,
  run: async () => {
    // A transaction would take the write lock of the embedded store, which has no changes to add.
    if (await hasFacetCountChanges(db)) await db.inTransaction(applyFacetCountChanges)
  },
})
