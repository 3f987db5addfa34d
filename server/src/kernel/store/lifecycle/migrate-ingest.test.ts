import { readFileSync } from 'node:fs'
import { accounts } from '@muster/contract/account'
import { accountsOther } from '@muster/contract/account-other'
import { appsOther } from '@muster/contract/app-other'
import type { Collection } from '@muster/contract/collection'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { freshStorePlace, type StorePlace } from '../../../../../test/support/database.ts'
import { anAccount, anAccountOther, anAppOther } from '../../../../../test/support/fixtures.ts'
import { STORES } from '../../../../../test/support/stores.ts'
import { openPostgres } from '../postgres/postgres.ts'
import { getRecordsByValues, type Stored } from '../records.ts'
import type { SqlDb } from '../sql.ts'
import { openSqlite } from '../sqlite/sqlite.ts'
import { loginKeyOf, tableOf } from '../tables.ts'
import { columnValues } from '../values.ts'
import { openStore, sqliteFile } from './open.ts'

/** What the first release wrote: its schema, and a row as it wrote them. */
async function asOfFirstRelease(db: SqlDb, rows: [Collection, Record<string, unknown>][]): Promise<void> {
  const script = new URL(`../migrations/0001-initial.${db.dialect.name}.sql`, import.meta.url)
  await db.inTransaction(async (tx) => {
    await tx.run(
      'CREATE TABLE migrations (number integer PRIMARY KEY, name text NOT NULL, applied_timestamp bigint NOT NULL)',
    )
    for (const statement of readFileSync(script, 'utf8').split(/;\n/)) {
      const sql = statement.replace(/^--.*$/gm, '').trim()
      if (sql !== '') await tx.run(sql)
    }
    await tx.insert('migrations', ['number', 'name', 'applied_timestamp'], [[1, '0001-initial', 1]])
    for (const [at, [collection, record]] of rows.entries()) {
      const table = tableOf(collection)
      const names = ['org', 'unlisted', 'seq', 'id', ...table.columns.map(({ name }) => name), 'record']
      const values = [1, 0, at + 1, String(record.id), ...columnValues(table, record), JSON.stringify(record)]
      const marks = names.map(() => '?').join(', ')
      await tx.run(`INSERT INTO ${table.name} (${names.join(', ')}) VALUES (${marks})`, values)
    }
  })
}

for (const store of STORES) {
  describe(store, () => {
    let options: StorePlace['options']
    let drop: StorePlace['drop']
    beforeEach(async () => {
      ;({ options, drop } = await freshStorePlace(store, true))
    })
    afterEach(() => drop())

    test('records of the first release are found by what an event names', async () => {
      const account = anAccount({ email: 'Ada.Byron@Example.com' })
      const other = anAccountOther({ email: 'ÄDA' })
      const app = anAppOther({ domain: 'Intranet.Example.ORG' })
      const { databaseUrl, dataDir } = options
      const old = databaseUrl ? openPostgres(databaseUrl) : openSqlite(sqliteFile(dataDir))
      await asOfFirstRelease(old, [
        [accounts, account],
        [accountsOther, other],
        [appsOther, app],
      ])
      await old.close()
      const db = await openStore(options, 2)
      const found = <C extends Collection>(collection: C, member: string, value: string) =>
        db
          .inTransaction((tx) => getRecordsByValues(tx, collection, 1, member, [value]))
          .then((all) => all.map(({ record }: Stored<unknown>) => record))
      const key = loginKeyOf(account.appId, 'ada.byron@EXAMPLE.com')
      expect(await found(accounts, 'loginKey', key)).toEqual([account])
      expect(await found(accountsOther, 'loginKey', loginKeyOf(other.otherAppId, 'äda'))).toEqual([other])
      expect(await found(appsOther, 'domainKey', 'intranet.example.org')).toEqual([app])
      await db.close()
    })
  })
}
