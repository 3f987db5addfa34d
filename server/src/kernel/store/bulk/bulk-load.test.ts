import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { browserExtensions } from '@muster/contract/records/browser-extension'
import { employees } from '@muster/contract/records/employee'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aBrowserExtension, anEmployee } from '../../../../../test/support/fixtures.ts'
import { listRecords } from '../../query/list.ts'
import { openStore } from '../lifecycle/open.ts'
import { getRecord, insertRecords, updateRecord } from '../records.ts'
import type { Db, Tx } from '../sql.ts'
import { bulkLoad } from './bulk-load.ts'

const org = 1
let folder: string
let db: Db

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'muster-bulk-'))
  db = await openStore({ dataDir: folder }, 1)
})
afterEach(async () => {
  await db.close()
  rmSync(folder, { recursive: true })
})

const extensions = Array.from({ length: 300 }, (_, number) =>
  aBrowserExtension({
    employeeId: `e${number % 7}`,
    permissions: ['tabs', `p${number % 5}`],
    creationTimestamp: number + 1,
  }),
)
const insert = (tx: Tx, records = extensions) =>
  insertRecords(
    tx,
    browserExtensions,
    org,
    records.map((record) => ({ id: record.id, record, createdAtSeconds: record.creationTimestamp })),
  )
const schema = () => db.all('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name')
const listed = async (filters: Record<string, unknown>): Promise<{ id: string }[]> => {
  const request = { collection: browserExtensions, org, filters, after: 0, offset: 0, limit: 1000 }
  const { bytes } = await listRecords(db, request as Parameters<typeof listRecords>[1])
  return JSON.parse(`[${Buffer.from(bytes).toString()}]`)
}

test('leaves the schema unchanged and fills every index', async () => {
  const before = await schema()
  await db.inTransaction((tx) => bulkLoad(tx, [browserExtensions], () => insert(tx)))
  expect(await schema()).toEqual(before)
  expect(await listed({})).toEqual(extensions)
  expect(await listed({ employeeId: 'e3' })).toEqual(
    extensions.filter(({ employeeId }) => employeeId === 'e3'),
  )
  expect(await listed({ permissions: ['tabs', 'p2'] })).toEqual(
    extensions.filter(({ permissions }) => permissions.includes('p2')),
  )
  expect(await db.get('SELECT count(*) AS count FROM browser_extensions_permissions')).toEqual({ count: 600 })
  expect(await db.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' })
})

test('allows changes to records of the same transaction', async () => {
  await db.inTransaction((tx) =>
    bulkLoad(tx, [browserExtensions], async (load) => {
      await insert(tx)
      await load.prepareForChanges()
      const stored = await getRecord(tx, browserExtensions, org, extensions[0]?.id ?? '')
      if (!stored) throw new Error('the added record is missing')
      await updateRecord(tx, browserExtensions, org, stored, {
        record: { ...stored.record, permissions: ['other'] },
      })
    }),
  )
  expect((await listed({ permissions: ['other'] })).map(({ id }) => id)).toEqual([extensions[0]?.id])
  expect(await listed({ permissions: ['tabs'] })).toHaveLength(299)
})

test('stages more rows after a change without duplicates', async () => {
  await db.inTransaction((tx) =>
    bulkLoad(tx, [browserExtensions], async (load) => {
      await insert(tx, extensions.slice(0, 100))
      await load.prepareForChanges()
      await insert(tx, extensions.slice(100, 200))
      await load.prepareForChanges()
      await insert(tx, extensions.slice(200))
    }),
  )
  expect(await listed({ permissions: ['tabs', 'p2'] })).toEqual(
    extensions.filter(({ permissions }) => permissions.includes('p2')),
  )
  expect(await db.get('SELECT count(*) AS count FROM browser_extensions_permissions')).toEqual({ count: 600 })
  expect(await db.get('SELECT count(*) AS count FROM extension_names')).toEqual({
    count: new Set(extensions.map(({ extensionId, name }) => `${extensionId} ${name}`)).size,
  })
})

test('indexes substrings of records added before and after a change, and none of replaced texts', async () => {
  const people = Array.from({ length: 90 }, (_, number) =>
    anEmployee({ email: `person.${number}@example.com`, creationTimestamp: 90 - number }),
  )
  const add = (tx: Tx, some: typeof people) =>
    insertRecords(
      tx,
      employees,
      org,
      some.map((record, at) => ({
        id: record.id,
        record,
        hidden: at === 5,
        createdAtSeconds: record.creationTimestamp,
      })),
    )
  const found = async (email: string) => {
    const request = { collection: employees, org, filters: { email }, after: 0, offset: 0, limit: 1000 }
    const { bytes } = await listRecords(db, request as Parameters<typeof listRecords>[1])
    return (JSON.parse(`[${Buffer.from(bytes).toString()}]`) as { email: string }[]).map((one) => one.email)
  }
  await db.inTransaction((tx) =>
    bulkLoad(tx, [employees], async (load) => {
      await add(tx, people.slice(0, 40))
      await load.prepareForChanges()
      const stored = await getRecord(tx, employees, org, people[7]?.id ?? '')
      if (!stored) throw new Error('the added record is missing')
      await updateRecord(tx, employees, org, stored, {
        record: { ...stored.record, email: 'moved@example.com' },
      })
      await add(tx, people.slice(40, 80))
      await load.prepareForChanges()
      await add(tx, people.slice(80))
    }),
  )
  expect(await found('person.1')).toEqual(
    [19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 1].map((number) => `person.${number}@example.com`),
  )
  // The 5th record of each part is hidden.
  expect(await found('person.8')).toHaveLength(10)
  expect(await found('moved')).toEqual(['moved@example.com'])
  expect(await found('person.7@')).toEqual([])
})

test('rolls back completely on failure, and can be repeated', async () => {
  const before = await schema()
  const failing = db.inTransaction((tx) =>
    bulkLoad(tx, [browserExtensions], async () => {
      await insert(tx)
      throw new Error('stopped')
    }),
  )
  await expect(failing).rejects.toThrow('stopped')
  expect(await schema()).toEqual(before)
  expect(await listed({})).toEqual([])
  await db.inTransaction((tx) => bulkLoad(tx, [browserExtensions], () => insert(tx)))
  expect(await listed({ permissions: ['p1'] })).toHaveLength(60)
})

test('writes as usual to a table that is not empty', async () => {
  await db.inTransaction((tx) => insert(tx, extensions.slice(0, 100)))
  await db.inTransaction((tx) => bulkLoad(tx, [browserExtensions], () => insert(tx, extensions.slice(100))))
  expect(await listed({ permissions: ['tabs'] })).toEqual(extensions)
})
