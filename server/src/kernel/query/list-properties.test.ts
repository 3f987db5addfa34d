import { randomUUID } from 'node:crypto'
import { collections } from '@muster/contract/api/api'
import type { Collection } from '@muster/contract/api/collection'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshStorePlace, type StorePlace } from '../../../../test/support/database.ts'
import { fc } from '../../../../test/support/fast-check.ts'
import {
  type AnyRecord,
  meets,
  randomFilters,
  randomRecord,
} from '../../../../test/support/random-records.ts'
import { scanVariants } from '../../../../test/support/scan-variants.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { openStore } from '../store/lifecycle/open.ts'
import { insertRecords } from '../store/records.ts'
import type { Db } from '../store/sql.ts'
import { countList } from './count-list.ts'
import { type ListLimits, type ListRequest, listRecords } from './list.ts'

const account = { column: 'account_id', value: 'the account' }

for (const store of STORES) {
  describe(store, () => {
    let db: Db
    let drop: StorePlace['drop']
    let org = 0

    beforeAll(async () => {
      const place = await freshStorePlace(store)
      drop = place.drop
      db = await openStore({ ...place.options, connections: 2 }, 0)
    })
    afterAll(async () => {
      await db.close()
      await drop()
    })

    const add = async (collection: Collection, org: number, records: readonly AnyRecord[]): Promise<void> => {
      const rows = records.map((record) => ({
        id: randomUUID(),
        record,
        createdAtSeconds: Number(record.creationTimestamp ?? 0),
        hidden: collection.name === 'employees' && record.mergedIntoId !== null,
        internal: collection.parent ? { accountId: account.value, employeeId: 'x' } : {},
      }))
      await db.inTransaction((tx) => insertRecords(tx, collection, org, rows))
    }

    const list = async (request: ListRequest, limits: ListLimits | undefined) => {
      const page = await listRecords(db, request, limits)
      const records = JSON.parse(`[${Buffer.from(page.bytes).toString()}]`) as AnyRecord[]
      expect(page.count).toBe(records.length)
      return { records, more: page.more, lastSeq: page.lastSeq }
    }

    for (const collection of Object.values(collections) as readonly Collection[]) {
      test(`any filters of ${collection.name} give the same records by token, by offset, in memory, and their number`, async () => {
        const { parent } = collection
        const dataset = fc.array(randomRecord(collection), { minLength: 0, maxLength: 40 })
        const ask = fc.record({
          filters: randomFilters(collection),
          limit: fc.integer({ min: 1, max: 12 }),
          limits: fc.constantFrom(...scanVariants),
        })
        const asks = fc.array(ask, { minLength: 12, maxLength: 12 })
        const property = fc.asyncProperty(dataset, asks, async (records, requests) => {
          // Each run uses a new organization. Records of the others must never be returned.
          org += 1
          await add(collection, org, records)
          const inOrder = records.toSorted(
            (one, other) => Number(one.creationTimestamp ?? 0) - Number(other.creationTimestamp ?? 0),
          )
          for (const { filters, limit, limits } of requests) {
            const expected = inOrder.filter((record) => meets(collection, filters, record))
            if (!parent)
              for (const rows of [2, 20_000])
                expect(await countList(db, { collection, org, filters }, { rows })).toEqual({
                  count: expected.length,
                  more: false,
                })
            const request = { collection, org, filters, ...(parent ? { parent: account } : {}), limit }
            const byToken: AnyRecord[] = []
            for (let after = 0, more = true; more; ) {
              const page = await list({ ...request, after, offset: 0 }, limits)
              byToken.push(...page.records)
              after = page.lastSeq
              more = page.more
            }
            expect(byToken).toEqual(expected)
            for (let offset = 0; offset <= expected.length + 1; offset += limit) {
              const page = await list({ ...request, after: 0, offset }, limits)
              expect(page.records).toEqual(expected.slice(offset, offset + limit))
              expect(page.more).toBe(offset + limit < expected.length)
            }
          }
        })
        await fc.assert(property, { numRuns: 20 })
      })
    }
  })
}
