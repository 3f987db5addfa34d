import { accounts } from '@muster/contract/account'
import { apps } from '@muster/contract/app'
import type { Collection } from '@muster/contract/collection'
import { detections } from '@muster/contract/detection'
import { employees } from '@muster/contract/employee'
import { expect, test } from 'vitest'
import { freshStorePlace } from '../../../../../test/support/database.ts'
import { fc } from '../../../../../test/support/fast-check.ts'
import { randomRecord } from '../../../../../test/support/random-records.ts'
import { STORES } from '../../../../../test/support/stores.ts'
import { newId } from '../../lib/secrets/id.ts'
import { insertRecords } from '../records.ts'
import type { Db } from '../sql.ts'
import { openStore } from './open.ts'

const added = [
  [accounts, 'mfa'],
  [accounts, 'login_methods'],
  [detections, 'severity_rank'],
  [employees, 'sort_name'],
  [apps, 'sort_name'],
] as const

for (const store of STORES) {
  test(`${store}: migration 0017 fills its columns as a write of the record does`, async () => {
    const { options, drop } = await freshStorePlace(store, true)
    const written = async (db: Db) => {
      const rows = []
      for (const [{ name }, column] of added)
        rows.push(await db.all(`SELECT id, ${column} AS value FROM ${name} ORDER BY id`))
      return rows
    }
    const first = await openStore(options, 1)
    await first.inTransaction(async (tx) => {
      for (const collection of new Set(added.map(([one]): Collection => one)))
        await insertRecords(
          tx,
          collection,
          1,
          fc
            .sample(randomRecord(collection), { numRuns: 200, seed: 17 })
            .map((record) => ({ id: newId(1), record, createdAtSeconds: 1 })),
        )
    })
    const before = await written(first)
    expect(before.map((rows) => rows.length)).toEqual(added.map(() => 200))
    await first.inTransaction(async (tx) => {
      for (const [{ name }, column] of [...added, [{ name: 'accounts_other' }, 'login_methods'] as const]) {
        await tx.run(`DROP INDEX ${name}_by_${column}`)
        await tx.run(`ALTER TABLE ${name} DROP COLUMN ${column}`)
      }
      await tx.run('DELETE FROM migrations WHERE number = 17')
    })
    await first.close()
    const second = await openStore(options, 2)
    expect(await written(second)).toEqual(before)
    await second.close()
    await drop()
  })
}
