import { expect, test } from 'vitest'
import { freshDatabase } from '../support/database.ts'
import { STORES } from '../support/stores.ts'
import { alertCrash } from './crash-alerts.ts'

test.each(STORES)(
  'every rule sends one message, with one ID, when servers on %s are killed',
  async (store) => {
    const database = store === 'postgres' ? await freshDatabase() : undefined
    const { repeats, ...seen } = await alertCrash(database?.url, 2)
    await database?.drop()
    expect(seen).toEqual({ lost: [], doubled: [], altered: [], mailedTwice: [], unmailed: 0 })
    // Only messages that were in flight are repeated.
    expect(repeats).toBeLessThanOrEqual(2 * 24)
  },
  120_000,
)
