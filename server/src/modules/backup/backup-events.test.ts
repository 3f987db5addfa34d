import { describe, expect, test } from 'vitest'
import { type CommandLine, useCommandLine } from '../../../../test/support/command-line.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { newId } from '../../kernel/lib/secrets/id.ts'
import { openStore } from '../../kernel/store/lifecycle/open.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { readRawBatches } from '../ingest/raw-event-batches.store.ts'
import { insertRawEvents, knownEventIds } from '../ingest/raw-events.service.ts'

const weekMs = 7 * 24 * 60 * 60 * 1000

const inStore = async <T>({ settings }: CommandLine, work: (db: Db) => Promise<T>): Promise<T> => {
  const { MUSTER_DATA: dataDir = '', MUSTER_DATABASE_URL: databaseUrl } = settings
  const db = await openStore({ dataDir, databaseUrl }, 1)
  return work(db).finally(() => db.close())
}

const batchesIn = (cli: CommandLine) =>
  inStore(cli, async (db) => {
    const batches = []
    for await (const part of readRawBatches(db, 1)) batches.push(...part)
    return batches
  })

for (const store of STORES) {
  for (const other of STORES) {
    describe(`${store} to ${other}`, () => {
      const cli = useCommandLine(store)

      test('raw events of every week are backed up, and detected as duplicates after a restore', async () => {
        const nowMs = Date.now()
        const ids = [nowMs - 2 * weekMs, nowMs - weekMs, nowMs].map(newId)
        const batch = { org: 1, browserId: 'browser', employeeId: 'ada', receivedMs: nowMs }
        await cli.run('org list')
        await inStore(cli, (db) =>
          db.inTransaction((tx) =>
            insertRawEvents(
              tx,
              { ...batch, number: 1, address: '192.0.2.1', userAgent: null },
              ids.map((id) => ({ id, text: JSON.stringify({ id, text: 'é"\\' }) })),
            ),
          ),
        )
        expect((await cli.run('backup all.db')).code).toBe(0)
        const elsewhere = await cli.another(other)
        expect((await elsewhere.run('restore all.db')).code).toBe(0)
        // Also over existing data, including its counts.
        const counted = ['org', 'begun_ms', 'counted_ms']
        await inStore(elsewhere, (db) =>
          db.inTransaction((tx) => tx.insert('extension_counts', counted, [[1, nowMs, nowMs]])),
        )
        expect((await elsewhere.run('restore all.db --force')).code).toBe(0)
        expect(await inStore(elsewhere, (db) => db.all('SELECT org FROM extension_counts'))).toEqual([])
        const batches = await batchesIn(elsewhere)
        expect(batches).toEqual(await batchesIn(cli))
        expect(batches).toMatchObject([{ browserId: 'browser', events: ids.map((id) => ({ id })) }])
        const known = await inStore(elsewhere, (db) =>
          db.inTransaction((tx) => knownEventIds(tx, 1, 'browser', [...ids, newId(nowMs)])),
        )
        expect([...known].sort()).toEqual(ids.toSorted())
      })
    })
  }
}
