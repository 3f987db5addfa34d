import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { collections } from '@muster/contract/api'
import type { Collection } from '@muster/contract/collection'
import { extensionGroups } from '@muster/contract/console/extension-group'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fc } from '../../../../../test/support/fast-check.ts'
import { randomRecord } from '../../../../../test/support/random-records.ts'
import { verifyChain } from '../../../modules/audit/audit-chain.store.ts'
import { walkAudit } from '../../../modules/audit/audit-list.store.ts'
import { auditHash } from '../../events/audit-trail.ts'
import { scanRecords } from '../scan-records.ts'
import { tableOf } from '../tables.ts'
import { columnValues } from '../values.ts'
import { openStore, sqliteFile } from './open.ts'

const organizations = [1, 2, 1023]
const migrationsBefore = 12
const everyCollection: readonly Collection[] = [...Object.values(collections), extensionGroups]

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-test-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** A file as the version before wrote it, whose tables had keys of several columns. */
function fileOfBefore(): DatabaseSync {
  const database = new DatabaseSync(sqliteFile(folder))
  database.exec(
    'CREATE TABLE migrations (number integer PRIMARY KEY, name text NOT NULL, applied_timestamp bigint NOT NULL)',
  )
  const migrations = new URL('../migrations/', import.meta.url)
  const scripts = readdirSync(migrations)
    .filter((name) => name.endsWith('.sqlite.sql'))
    .sort()
  for (const [at, name] of scripts.slice(0, migrationsBefore).entries()) {
    database.exec(readFileSync(new URL(name, migrations), 'utf8'))
    database.prepare('INSERT INTO migrations VALUES (?, ?, 1)').run(at + 1, name.replace('.sqlite.sql', ''))
  }
  return database
}

function insert(database: DatabaseSync, table: string, row: Record<string, string | number | null>): void {
  const names = Object.keys(row)
  const sql = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`
  database.prepare(sql).run(...Object.values(row))
}

/** Adds records in no order, every third of them unlisted, and says which texts are in which order. */
function addRecords(database: DatabaseSync, collection: Collection, org: number): string[] {
  const table = tableOf(collection)
  const records = fc.sample(randomRecord(collection), { numRuns: 12, seed: org })
  const rows = records.map((record, at) => ({
    unlisted: Number(at % 3 === 0),
    seq: 2 ** 52 + ((at * 7) % 12),
    record: JSON.stringify(record),
    values: Object.fromEntries(
      columnValues(table, record).map((value, column) => [table.columns[column]?.name ?? '', value]),
    ),
  }))
  for (const { values, ...row } of rows)
    insert(database, table.name, {
      org,
      id: randomUUID(),
      ...row,
      ...(values as Record<string, string | number | null>),
    })
  return rows
    .toSorted((one, other) => one.unlisted - other.unlisted || one.seq - other.seq)
    .map(({ record }) => record)
}

function addTrail(database: DatabaseSync, org: number): void {
  let previous = ''
  let position = 0
  for (const name of ['one', 'two', 'three']) {
    position += 1
    const facts = { id: `${org} ${name}`, timestamp: position, object: 'LICENSE_REMOVED' }
    const event = JSON.stringify({ ...facts, actor: null })
    const hash = auditHash(previous, event)
    insert(database, 'audit_events', {
      org,
      position,
      ...facts,
      actor: '',
      event,
      previous_hash: previous,
      hash,
    })
    if (position === 3) insert(database, 'audit_heads', { org, position, previous_hash: previous, hash })
    previous = hash
  }
}

test('records and the audit trail of the version before are all there, in their order and organization', async () => {
  const before = fileOfBefore()
  const texts = new Map<string, string[]>()
  for (const org of organizations) {
    for (const collection of everyCollection)
      texts.set(`${collection.name} ${org}`, addRecords(before, collection, org))
    addTrail(before, org)
  }
  before.close()

  const db = await openStore({ dataDir: folder, databaseUrl: undefined }, 2)
  for (const org of organizations) {
    for (const collection of everyCollection) {
      const found: string[] = []
      for await (const some of scanRecords(db, collection, org)) found.push(...some)
      expect(found).toEqual(texts.get(`${collection.name} ${org}`))
    }
    expect(await verifyChain(db, org)).toEqual({ events: 3, hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
    for await (const links of walkAudit(db, org))
      expect(links.map(({ id }) => id)).toEqual([`${org} one`, `${org} two`, `${org} three`])
  }
  const change = db.inTransaction((tx) => tx.run("UPDATE audit_events SET actor = 'nobody'"))
  await expect(change).rejects.toThrow('append-only')
  await db.close()
})
