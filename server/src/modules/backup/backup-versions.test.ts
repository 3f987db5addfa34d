import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { useCommandLine } from '../../../../test/support/command-line.ts'
import { schemaNumber } from '../../kernel/store/lifecycle/migrate.ts'
import { openPostgres } from '../../kernel/store/postgres/postgres.ts'

/** Creates an embedded store with an older schema. */
function olderStore(folder: string, schema: number): void {
  const database = new DatabaseSync(join(folder, 'muster.db'))
  database.exec(
    'CREATE TABLE migrations (number integer PRIMARY KEY, name text NOT NULL, applied_timestamp bigint NOT NULL)',
  )
  const migrations = new URL('../../kernel/store/migrations/', import.meta.url)
  const scripts = readdirSync(migrations).filter((name) => name.endsWith('.sqlite.sql'))
  for (const [at, name] of scripts.sort().slice(0, schema).entries()) {
    database.exec(readFileSync(new URL(name, migrations), 'utf8'))
    database.prepare('INSERT INTO migrations VALUES (?, ?, 1)').run(at + 1, name.replace('.sqlite.sql', ''))
  }
  database.exec("INSERT INTO organizations (no, id, name, creation_timestamp) VALUES (1, 'a', 'default', 1)")
  database.close()
}

describe('sqlite', () => {
  const cli = useCommandLine('sqlite')

  const labelOf = (file: string) => {
    const database = new DatabaseSync(join(cli.folder, file), { readOnly: true })
    const row = database.prepare("SELECT value FROM muster_backup WHERE name = 'schema'").get()
    database.close()
    return row?.value
  }

  test('a backup of a store with an older schema can be restored by the version that wrote it, and by this one', async () => {
    olderStore(cli.dataDir, schemaNumber - 1)
    const { code, stderr } = await cli.run('backup all.db')
    expect(stderr).toContain('an older version of Muster wrote the store')
    expect(code).toBe(0)
    expect(labelOf('all.db')).toBe(String(schemaNumber - 1))
    const elsewhere = await cli.another('sqlite')
    expect((await elsewhere.run('restore all.db')).code).toBe(0)
    expect(await elsewhere.json('org list')).toHaveLength(1)
  })

  test('a backup of a store with a newer schema records the schema', async () => {
    await cli.run('org add emea')
    const database = new DatabaseSync(join(cli.dataDir, 'muster.db'))
    database.exec(`INSERT INTO migrations VALUES (${schemaNumber + 1}, 'later', 1)`)
    database.close()
    const { code, stderr } = await cli.run('backup all.db')
    expect(stderr).toContain('a newer version of Muster wrote the store')
    expect(code).toBe(0)
    expect(labelOf('all.db')).toBe(String(schemaNumber + 1))
  })

  test.each(['keys list', 'org add emea', 'replay', 'serve --port 0 --metrics-port 0'])(
    'muster %s refuses a store with a newer schema, without a stack trace',
    async (words) => {
      await cli.run('org add apac')
      const database = new DatabaseSync(join(cli.dataDir, 'muster.db'))
      database.exec(`INSERT INTO migrations VALUES (${schemaNumber + 1}, 'later', 1)`)
      database.close()
      const { code, stderr } = await cli.run(words)
      expect(stderr).toMatch(/^The database has schema \d+, but this version of Muster supports up to \d+\./)
      expect(code).toBe(1)
    },
  )

  test('refuses to back up a file without Muster data', async () => {
    new DatabaseSync(join(cli.dataDir, 'muster.db')).close()
    expect(await cli.run('backup all.db')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The database contains no Muster data'),
    })
  })
})

describe('postgres', () => {
  const cli = useCommandLine('postgres')

  test.each([
    `DELETE FROM migrations WHERE number = ${schemaNumber}`,
    `INSERT INTO migrations VALUES (${schemaNumber + 1}, 'later', 1)`,
  ])('refuses a PostgreSQL store with another schema: %s', async (sql) => {
    await cli.run('org add emea')
    const db = openPostgres(cli.settings.MUSTER_DATABASE_URL ?? '', { connections: 1 })
    await db.inTransaction((tx) => tx.run(sql))
    await db.close()
    const { code, stderr } = await cli.run('backup all.db')
    expect(stderr).toContain('Use the version that wrote the database')
    expect(code).toBe(1)
    expect(existsSync(join(cli.folder, 'all.db'))).toBe(false)
  })

  test('refuses to back up a database without Muster data', async () => {
    expect(await cli.run('backup all.db')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The database contains no Muster data'),
    })
  })
})
