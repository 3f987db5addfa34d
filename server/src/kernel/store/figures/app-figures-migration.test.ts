import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { freshStorePlace } from '../../../../../test/support/database.ts'
import { STORES } from '../../../../../test/support/stores.ts'
import { migrate } from '../lifecycle/migrate.ts'
import { sqliteFile } from '../lifecycle/open.ts'
import { openPostgres } from '../postgres/postgres.ts'
import type { SqlTx } from '../sql.ts'
import { openSqlite } from '../sqlite/sqlite.ts'

test.each(STORES)('the migration counts what an earlier version has stored, on %s', async (store) => {
  const { options, drop } = await freshStorePlace(store, true)
  const open = () =>
    options.databaseUrl ? openPostgres(options.databaseUrl) : openSqlite(sqliteFile(options.dataDir))
  const initial = {
    number: 1,
    name: '0001-initial',
    script: (dialect: string) =>
      readFileSync(new URL(`../migrations/0001-initial.${dialect}.sql`, import.meta.url), 'utf8'),
  }
  const before = open()
  await migrate(before, 1, { migrations: [initial] })
  await before.inTransaction(async (tx) => {
    const add = (table: string, seq: number, columns: Record<string, string | number | null>) =>
      addRow(tx, table, seq, columns)
    await add('accounts', 1, { app_id: 'mail', employee_id: 'ada', login_methods: 5 })
    await add('accounts', 2, { app_id: 'mail', employee_id: 'ada', login_methods: 1 })
    await add('accounts', 3, { app_id: 'mail', employee_id: 'bob', login_methods: null })
    await add('findings', 1, { app_id: 'mail', state: 'OPEN' })
    await add('findings', 2, { app_id: 'mail', state: 'RESOLVED' })
    await add('findings', 3, { app_id: 'wiki', state: 'OPEN' })
    await add('findings', 4, { app_id: null, state: 'OPEN' })
  })
  await before.close()
  const upgraded = open()
  await migrate(upgraded, 2)
  await upgraded.close()
  const db = open()
  await db.inTransaction((tx) =>
    addRow(tx, 'accounts', 4, { app_id: 'wiki', employee_id: 'eve', login_methods: 2 }),
  )
  const columns = 'app_id, people, accounts, open_findings, by_password, by_oidc, by_saml'
  const rows = await db.all(`SELECT ${columns} FROM app_figures ORDER BY app_id`)
  expect(rows).toEqual([
    { app_id: 'mail', people: 2, accounts: 3, open_findings: 1, by_password: 2, by_oidc: 0, by_saml: 1 },
    { app_id: 'wiki', people: 1, accounts: 1, open_findings: 1, by_password: 0, by_oidc: 1, by_saml: 0 },
  ])
  await db.close()
  await drop()
})

const addRow = (
  tx: SqlTx,
  table: string,
  seq: number,
  columns: Record<string, string | number | null>,
): Promise<number> =>
  tx.insert(
    table,
    ['org', 'unlisted', 'seq', 'id', ...Object.keys(columns), 'record'],
    [[1, 0, seq, `${table} ${seq}`, ...Object.values(columns), '{}']],
  )
