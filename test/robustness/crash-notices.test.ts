import { expect, test } from 'vitest'
import { freshDatabase } from '../support/database.ts'
import { STORES } from '../support/stores.ts'
import { noticeCrash } from './crash-notices.ts'

// `npx node test/robustness/crash-notices-by-hand.ts 20` kills more often, at random moments.

test.each(STORES)(
  'each holder gets one mail when servers that send on %s are killed',
  async (store) => {
    const database = store === 'postgres' ? await freshDatabase() : undefined
    const processes = database === undefined ? 1 : 3
    const seen = await noticeCrash({ databaseUrl: database?.url, processes, holders: 60, killsAfterMs: [60] })
    await database?.drop()
    expect(seen).toMatchObject({ doubled: [], lost: [] })
    // A mail can be lost between its mark and its last line; it is then shown as in doubt.
    expect(seen.once + seen.inDoubt - seen.inDoubtArrived).toBe(60)
  },
  300_000,
)
