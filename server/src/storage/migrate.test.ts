import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { collections } from '@muster/contract/api'
import type { Collection } from '@muster/contract/collection'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { freshDatabase } from '../../../test/support/database.ts'
import { STORES } from '../../../test/support/stores.ts'
import { layoutOf } from './layout.ts'
import { schemaNumber } from './migrate.ts'
import { openStore } from './open.ts'

const script = (name: string, store: string): string[] =>
  readFileSync(new URL(`./migrations/${name}.${store}.sql`, import.meta.url), 'utf8')
    .split(/;\n/)
    .map((statement) => statement.replace(/^--.*$/gm, '').trim())
    .filter((statement) => statement !== '')

/** Opens the store in a process of its own, as servers that start together do. */
const openInProcess = (options: object): Promise<unknown> => {
  const open = new URL('./open.ts', import.meta.url).href
  const code = `const { openStore } = await import(${JSON.stringify(open)})
    await (await openStore(${JSON.stringify(options)}, 1)).close()`
  return promisify(execFile)(process.execPath, ['--input-type=module', '-e', code])
}

for (const store of STORES) {
  describe(store, () => {
    let options: { dataDir: string; databaseUrl: string | undefined }
    let drop = async () => {}

    beforeEach(async () => {
      const database = store === 'postgres' ? await freshDatabase() : undefined
      options = { dataDir: mkdtempSync(join(tmpdir(), 'muster-test-')), databaseUrl: database?.url }
      drop = async () => database?.drop()
    })
    afterEach(async () => {
      await drop()
      rmSync(options.dataDir, { recursive: true })
    })

    test('the committed statements are those that the declarations ask for, and no others of a collection', () => {
      const committed = script('0001-initial', store)
      const asked = (Object.values(collections) as Collection[]).flatMap((one) => layoutOf(one, store))
      expect(committed.filter((statement) => asked.includes(statement))).toEqual(asked)
      const names = Object.values(collections as Record<string, Collection>).map(({ name }) =>
        name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      )
      const ofCollections = committed.filter((statement) =>
        names.some((name) => new RegExp(`(?:TABLE|INDEX) ${name}(?:_by_|_walk|_id|\\s)`).test(statement)),
      )
      expect(ofCollections.filter((statement) => !asked.includes(statement))).toEqual([])
    })

    test('a store that is up to date is left as it is', async () => {
      const first = await openStore(options, 1)
      await first.inTransaction((tx) => tx.insert('settings', ['name', 'value'], [['something', 'kept']]))
      await first.close()
      const second = await openStore(options, 2)
      expect(await second.all('SELECT number, applied_timestamp AS at FROM migrations')).toEqual([
        { number: schemaNumber, at: 1 },
      ])
      expect(await second.all("SELECT value FROM settings WHERE name = 'something'")).toEqual([
        { value: 'kept' },
      ])
      await second.close()
    })

    test('three processes that start on an empty store at once all start, and migrate it once', async () => {
      await Promise.all([openInProcess(options), openInProcess(options), openInProcess(options)])
      const db = await openStore(options, 2)
      expect(await db.all('SELECT number FROM migrations')).toEqual([{ number: schemaNumber }])
      await db.close()
    })

    test('a store that a newer version wrote is refused, with what to do, and left as it is', async () => {
      const newer = schemaNumber + 1
      const db = await openStore(options, 1)
      await db.inTransaction((tx) =>
        tx.insert('migrations', ['number', 'name', 'applied_timestamp'], [[newer, 'later', 1]]),
      )
      await db.close()
      const refusal = `The database has schema ${newer}, this version of Muster knows up to ${schemaNumber}. Start the newer version, or restore a backup made by this one.`
      await expect(openStore(options, 2)).rejects.toThrow(refusal)
      await expect(openStore(options, 2)).rejects.toThrow(refusal)
    })

    test('numbers for records that are taken at the same time are never the same', async () => {
      const db = await openStore(options, 1)
      const takes = Array.from({ length: 8 }, () => db.inTransaction((tx) => tx.takeNumbers(5_000)))
      const numbers = (await Promise.all(takes)).flat()
      expect(numbers).toHaveLength(40_000)
      expect(new Set(numbers).size).toBe(40_000)
      await db.close()
    })
  })
}
