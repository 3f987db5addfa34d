import { randomUUID } from 'node:crypto'
import { collections } from '@muster/contract/api/api'
import type { Collection } from '@muster/contract/api/collection'
import { accounts } from '@muster/contract/records/account'
import { browsers } from '@muster/contract/records/browser'
import { browserExtensions } from '@muster/contract/records/browser-extension'
import { detections } from '@muster/contract/records/detection'
import { employees } from '@muster/contract/records/employee'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshStorePlace, type StorePlace } from '../../../../test/support/database.ts'
import { fc } from '../../../../test/support/fast-check.ts'
import { plansOf, type Statement } from '../../../../test/support/query-plans.ts'
import { type AnyRecord, randomRecord } from '../../../../test/support/random-records.ts'
import { scanVariants } from '../../../../test/support/scan-variants.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { countActiveBrowsers, countEmployees } from '../../modules/overview/overview-reach.service.ts'
import { openStore } from '../store/lifecycle/open.ts'
import { accountsNeverUsed } from '../store/maintenance-queries.ts'
import { insertRecords } from '../store/records.ts'
import type { Db, Reader } from '../store/sql.ts'
import { listRecords } from './list.ts'

const rows = 2_000

/** Limits that reach every strategy with few rows, in few chunks: a statement is checked only once. */
const variants = scanVariants.map((limits) => limits && { ...limits, chunkRows: 500 })

/** Wraps a handle to record each statement. */
function recording(db: Db, statements: Statement[]): Db {
  const wrap = (reader: Reader): Reader => ({
    dialect: reader.dialect,
    all: (sql, params = []) => {
      statements.push({ sql, params })
      return reader.all(sql, params)
    },
    get: (sql, params = []) => {
      statements.push({ sql, params })
      return reader.get(sql, params)
    },
    page: (sql, params, limit) => {
      statements.push({ sql: `${sql} LIMIT ?`, params: [...params, limit] })
      return reader.page(sql, params, limit)
    },
  })
  return { ...db, ...wrap(db), slow: wrap(db.slow) }
}

/** Returns a common, a rare and a missing value for each filter. */
function valuesOf(collection: Collection, records: readonly AnyRecord[]): Map<string, unknown[]> {
  const values = new Map<string, unknown[]>()
  for (const [name, { kind, member }] of Object.entries(collection.filters)) {
    const counts = new Map<unknown, number>()
    for (const record of records)
      for (const value of [record[member]].flat())
        if (value !== null && value !== '') counts.set(value, (counts.get(value) ?? 0) + 1)
    const byCount = [...counts.keys()].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0))
    const found = [byCount[0], byCount.at(-1)]
    const none = typeof byCount[0] === 'string' ? ['nobody has this'] : []
    // Texts of one or two characters have no index; longer ones do.
    const contained = kind === 'contains' ? ['a', 'ab', 'aab', 'a_%'] : []
    values.set(name, [...new Set([...contained, ...found, ...none])])
  }
  return values
}

for (const store of STORES) {
  describe(store, () => {
    let db: Db
    let drop: StorePlace['drop']

    beforeAll(async () => {
      const place = await freshStorePlace(store)
      drop = place.drop
      db = await openStore({ ...place.options, connections: 2 }, 0)
    })
    afterAll(async () => {
      await db.close()
      await drop()
    })

    if (store === 'sqlite') {
      test('rows skipped by an offset or a chunk end are read from a covering index', async () => {
        const request = { collection: browserExtensions, org: 1, after: 0, limit: 10 }
        const statements: Statement[] = []
        for (const [filters, offset] of [
          [{}, 5],
          [{ deploymentMode: 'MANAGED' }, 5],
          [{ deploymentMode: 'MANAGED', enabled: true }, 0],
        ] as const)
          for (const limits of scanVariants)
            await listRecords(recording(db, statements), { ...request, filters, offset }, limits)
        const skipping = new Map(
          statements.filter(({ sql }) => sql.endsWith(' OFFSET ?')).map(({ sql, params }) => [sql, params]),
        )
        expect(skipping.size).toBe(3)
        for (const [sql, params] of skipping) {
          const plan = await db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, params)
          expect(plan.map(({ detail }) => detail)).toEqual([expect.stringContaining('USING COVERING INDEX')])
        }
      })
    }

    test('a page is re-planned if matches are common at the beginning of a list and missing after it', async () => {
      const [org, early, total] = [2, 30, 2_000]
      const [like] = fc.sample(randomRecord(detections), { numRuns: 1, seed: 1 }) as [AnyRecord]
      const records = Array.from({ length: total }, (_, at) => ({
        id: randomUUID(),
        record: {
          ...like,
          severity: 'HIGH',
          lastActivityTimestamp: at < early ? 1_000 : 5_000,
        } as AnyRecord,
        createdAtSeconds: 1_000 + at,
      }))
      const collection: Collection = detections
      await db.inTransaction((tx) => insertRecords(tx, collection, org, records))
      const limits = {
        countedRows: 10,
        sortedRows: 100,
        sampleRows: 100,
        sampleHits: 5,
        firstRows: 20,
        chunkRows: 20,
        mainThreadOffset: 2_000,
      }
      for (const filters of [{}, { severity: 'HIGH' }]) {
        const statements: Statement[] = []
        const request = {
          collection,
          org,
          filters: { ...filters, lastActivityTimestampBefore: 2_000 },
        }
        const page = await listRecords(
          recording(db, statements),
          { ...request, after: 0, offset: 0, limit: early + 1 },
          limits,
        )
        expect([page.count, page.more]).toEqual([early, false])
        // There are two statements per chunk, and the whole list has a hundred chunks.
        expect(statements.length).toBeLessThan(50)
      }
    })

    test('accounts without a last use are found in an index and fetched by their key', async () => {
      const org = 3
      const [like] = fc.sample(randomRecord(accounts), { numRuns: 1, seed: 1 }) as [AnyRecord]
      const records = Array.from({ length: 5_000 }, (_, at) => ({
        id: randomUUID(),
        record: { ...like, lastUsedTimestamp: at % 10 === 0 ? null : 1, domain: `${at}` } as AnyRecord,
        createdAtSeconds: 1_000 + at,
      }))
      const collection: Collection = accounts
      await db.inTransaction((tx) => insertRecords(tx, collection, org, records))
      if (store === 'postgres') await db.inTransaction((tx) => tx.run('ANALYZE'))
      const statements: Statement[] = []
      const found = []
      for await (const texts of accountsNeverUsed(recording(db, statements), org, 5_000)) found.push(...texts)
      const expected = records.filter(({ createdAtSeconds }) => createdAtSeconds < 5_000)
      expect(found.toSorted()).toEqual(
        expected
          .filter(({ record }) => record.lastUsedTimestamp === null)
          .map(({ record }) => JSON.stringify(record))
          .sort(),
      )
      expect(await plansOf(db, statements)).toEqual([])
    })

    test('the reach of a rule is counted by key, and no group is read once per row', async () => {
      const org = 4
      const [person] = fc.sample(randomRecord(employees), { numRuns: 1, seed: 1 }) as [AnyRecord]
      const [browser] = fc.sample(randomRecord(browsers), { numRuns: 1, seed: 1 }) as [AnyRecord]
      const ids = Array.from({ length: 500 }, () => randomUUID())
      const put = (collection: Collection, recordOf: (id: string, at: number) => object) =>
        db.inTransaction((tx) =>
          insertRecords(
            tx,
            collection,
            org,
            ids.map((id, at) => ({
              id,
              record: recordOf(id, at) as AnyRecord,
              createdAtSeconds: 1_000 + at,
            })),
          ),
        )
      const mergedIntoId = null
      await put(employees, (id, at) => ({
        ...person,
        id,
        email: `${at}@example.com`,
        mergedIntoId,
        licensed: true,
        groups: ['All', `Group ${at % 10}`],
      }))
      await put(browsers, (id, at) => ({ ...browser, id, employeeId: ids[at - (at % 2)], isActive: true }))
      const statements: Statement[] = []
      const reader = recording(db, statements)
      for (const [scope, people, theirs] of [
        [{ groups: ['All', 'Group 1'] }, 500, 500],
        [{ groups: ['Group 2'] }, 50, 100],
        [{ groups: ['All'], employeeIds: ids.slice(0, 2) }, 2, 2],
        [{ employeeIds: ids.slice(0, 2) }, 2, 2],
      ] as const) {
        expect(await countEmployees(reader, org, scope)).toBe(people)
        expect(await countActiveBrowsers(reader, org, scope)).toBe(theirs)
      }
      // PostgreSQL has no statistics yet, as after an import. It may read a whole small group, but only once.
      const again = (violation: string) => /CORRELATED|for each/.test(violation)
      expect((await plansOf(db, statements)).filter(again)).toEqual([])
    })

    for (const collection of Object.values(collections) as readonly Collection[]) {
      test(`no filter or pair of filters of ${collection.name} scans or sorts a whole table`, async () => {
        const records = fc.sample(randomRecord(collection), { numRuns: rows, seed: 1 })
        await db.inTransaction((tx) =>
          insertRecords(
            tx,
            collection,
            1,
            records.map((record, at) => ({
              id: randomUUID(),
              record,
              createdAtSeconds: Number(record.creationTimestamp ?? at),
              internal: collection.parent ? { accountId: `account ${at % 3}`, employeeId: 'x' } : {},
            })),
          ),
        )
        if (store === 'postgres') await db.inTransaction((tx) => tx.run('ANALYZE'))
        const values = [...valuesOf(collection, records)]
        const singles = values.flatMap(([name, few]) => few.map((value) => ({ [name]: value })))
        const pairs = values.flatMap(([one, [common]], at) =>
          values.slice(at + 1).map(([other, few]) => ({ [one]: common, [other]: few[at % few.length] })),
        )
        const statements: Statement[] = []
        const parent = collection.parent ? { parent: { column: 'account_id', value: 'account 1' } } : {}
        const alone = [{}, ...singles].map((filters) => ({ filters, variants }))
        const paired = pairs.map((filters) => ({ filters, variants: variants.slice(0, 2) }))
        for (const { filters, variants } of [...alone, ...paired])
          for (const limits of variants)
            for (const offset of [0, 5]) {
              const request = { collection, org: 1, filters, ...parent, after: 0, offset, limit: 10 }
              await listRecords(recording(db, statements), request, limits)
            }
        expect(statements.length).toBeGreaterThan(10)
        expect(await plansOf(db, statements)).toEqual([])
      })
    }
  })
}
