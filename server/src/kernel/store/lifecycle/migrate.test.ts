import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { collections } from '@muster/contract/api/api'
import type { Collection } from '@muster/contract/api/collection'
import { extensionGroups } from '@muster/contract/console/extension-group'
import { incidents } from '@muster/contract/console/incidents/incident'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { freshStorePlace, type StorePlace } from '../../../../../test/support/database.ts'
import { STORES } from '../../../../../test/support/stores.ts'
import { layoutOf } from '../layout.ts'
import { openPostgres } from '../postgres/postgres.ts'
import type { Reader } from '../sql.ts'
import { openSqlite } from '../sqlite/sqlite.ts'
import { substringTableOf, tableOf } from '../tables.ts'
import { type Migration, migrate, migrationNumbers, schemaNumber } from './migrate.ts'
import { openStore, sqliteFile } from './open.ts'

/** Lists the columns and indexes of every table, sorted. */
async function tablesOf(db: Reader, store: 'sqlite' | 'postgres'): Promise<string[]> {
  const sql =
    store === 'sqlite'
      ? `SELECT m.name || ': ' || c.name || ' ' || c.type || ' ' || c."notnull" || ' ' || c.pk AS line
         FROM sqlite_schema AS m, pragma_table_xinfo(m.name) AS c WHERE m.type = 'table'
         UNION ALL SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY line`
      : `SELECT table_name || ': ' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || coalesce(collation_name, '') AS line
         FROM information_schema.columns WHERE table_schema = 'public'
         UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY line`
  return (await db.all<{ line: string }>(sql)).map(({ line }) => line)
}

/** Opens the store in a separate process. */
const openInProcess = (options: object): Promise<unknown> => {
  const open = new URL('./open.ts', import.meta.url).href
  const code = `const { openStore } = await import(${JSON.stringify(open)})
    await (await openStore(${JSON.stringify(options)}, 1)).close()`
  return promisify(execFile)(process.execPath, ['--input-type=module', '-e', code])
}

for (const store of STORES) {
  describe(store, () => {
    let options: StorePlace['options']
    let drop: StorePlace['drop']
    beforeEach(async () => {
      ;({ options, drop } = await freshStorePlace(store, true))
    })
    afterEach(() => drop())

    test('the migrations create exactly the tables and indexes that the collections declare', async () => {
      const migrated = await openStore(options, 1)
      const shape = await tablesOf(migrated, store)
      for (const collection of [...Object.values<Collection>(collections), extensionGroups, incidents]) {
        const asked = layoutOf(collection, store)
        await migrated.inTransaction(async (tx) => {
          for (const { table } of tableOf(collection).sides) await tx.run(`DROP TABLE ${table}`)
          if (store === 'sqlite') {
            for (const column of tableOf(collection).columns.filter(({ search }) => search === 'substring'))
              await tx.run(`DROP TABLE ${substringTableOf(tableOf(collection), column.name)}`)
          }
          await tx.run(`DROP TABLE ${tableOf(collection).name}`)
          for (const statement of asked) await tx.run(statement)
        })
      }
      expect(shape).toEqual(await tablesOf(migrated, store))
      await migrated.close()
    })

    test('a store with the current schema is left unchanged', async () => {
      const first = await openStore(options, 1)
      await first.inTransaction((tx) => tx.insert('settings', ['name', 'value'], [['something', 'kept']]))
      await first.close()
      const second = await openStore(options, 2)
      expect(await second.all('SELECT DISTINCT applied_timestamp AS at FROM migrations')).toEqual([{ at: 1 }])
      expect(await second.all("SELECT value FROM settings WHERE name = 'something'")).toEqual([
        { value: 'kept' },
      ])
      await second.close()
    })

    test('three processes that open an empty store at the same time migrate it once', async () => {
      await Promise.all([openInProcess(options), openInProcess(options), openInProcess(options)])
      const db = await openStore(options, 2)
      const numbers = migrationNumbers.map((number) => ({ number }))
      expect(await db.all('SELECT number FROM migrations ORDER BY number')).toEqual(numbers)
      await db.close()
    })

    test('a store of a newer version is refused, with what to do, and left unchanged', async () => {
      const newer = schemaNumber + 1
      const db = await openStore(options, 1)
      await db.inTransaction((tx) =>
        tx.insert('migrations', ['number', 'name', 'applied_timestamp'], [[newer, 'later', 1]]),
      )
      await db.close()
      const refusal = `The database has schema ${newer}, but this version of Muster supports up to ${schemaNumber}. Start the newer version, or restore a backup made by this one.`
      await expect(openStore(options, 2)).rejects.toThrow(refusal)
      await expect(openStore(options, 2)).rejects.toThrow(refusal)
    })

    test('a store from before the first release is refused, with what to do, and left unchanged', async () => {
      const db = await openStore(options, 1)
      await db.inTransaction((tx) =>
        tx.insert(
          'migrations',
          ['number', 'name', 'applied_timestamp'],
          [[schemaNumber + 1, '0002-ingest', 1]],
        ),
      )
      await db.close()
      const refusal =
        'The database was made by a commit from before Muster 0.1.0 and cannot be read by this version. Run muster export with that commit, then muster import with this version and an empty database.'
      await expect(openStore(options, 2)).rejects.toThrow(refusal)
      await expect(openStore(options, 2)).rejects.toThrow(refusal)
    })

    describe('a migration that a later version adds', () => {
      const scriptOf = (script: string): Migration => ({
        number: schemaNumber + 1,
        name: 'made-up',
        script: () => script,
      })
      const addColumn = scriptOf(`-- A comment; with a semicolon
ALTER TABLE settings ADD COLUMN made_up integer;

UPDATE settings SET made_up = 1
  -- An indented comment;
  WHERE name = 'something';
`)
      const open = () =>
        options.databaseUrl ? openPostgres(options.databaseUrl) : openSqlite(sqliteFile(options.dataDir))
      const released = migrationNumbers.map((number) => ({ number, name: 'released', script: () => '' }))

      beforeEach(async () => {
        const first = await openStore(options, 1)
        await first.inTransaction((tx) => tx.insert('settings', ['name', 'value'], [['something', 'kept']]))
        await first.close()
      })

      test('runs once and keeps the data, also if two connections migrate at the same time', async () => {
        let upgrades = 0
        const onUpgrade = () => {
          upgrades += 1
        }
        await Promise.all(
          [2, 3].map(async (nowSeconds) => {
            const db = open()
            await migrate(db, nowSeconds, { onUpgrade, migrations: [...released, addColumn] })
            await db.close()
          }),
        )
        const db = open()
        expect(await db.all('SELECT name, value, made_up FROM settings')).toEqual([
          { name: 'something', value: 'kept', made_up: 1 },
        ])
        const numbers = [...migrationNumbers, schemaNumber + 1].map((number) => ({ number }))
        expect(await db.all('SELECT number FROM migrations ORDER BY number')).toEqual(numbers)
        expect(upgrades).toBe(1)
        await db.close()
      })

      test('changes nothing if one of its statements fails', async () => {
        const db = open()
        const failing = scriptOf('ALTER TABLE settings ADD COLUMN made_up integer;\nSELECT nonsense;\n')
        await expect(migrate(db, 2, { migrations: [...released, failing] })).rejects.toThrow('nonsense')
        expect(await db.all('SELECT * FROM settings')).toEqual([{ name: 'something', value: 'kept' }])
        const numbers = migrationNumbers.map((number) => ({ number }))
        expect(await db.all('SELECT number FROM migrations ORDER BY number')).toEqual(numbers)
        await db.close()
      })
    })

    test('sequence numbers taken concurrently are unique', async () => {
      const db = await openStore(options, 1)
      const takes = Array.from({ length: 8 }, () => db.inTransaction((tx) => tx.takeNumbers(5_000)))
      const numbers = (await Promise.all(takes)).flat()
      expect(numbers).toHaveLength(40_000)
      expect(new Set(numbers).size).toBe(40_000)
      await db.close()
    })
  })
}
