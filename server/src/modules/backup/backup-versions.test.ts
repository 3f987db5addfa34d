import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { useCommandLine } from '../../../../test/support/command-line.ts'
import { schemaNumber } from '../../kernel/store/lifecycle/migrate.ts'
import { openPostgres } from '../../kernel/store/postgres/postgres.ts'

const unreleased =
  'The database was made by a commit from before Muster 0.1.0 and cannot be read by this version. Run muster export with that commit'

describe('sqlite', () => {
  const cli = useCommandLine('sqlite', { isEmpty: true })

  const labelOf = (file: string) => {
    const database = new DatabaseSync(join(cli.folder, file), { readOnly: true })
    const row = database.prepare("SELECT value FROM muster_backup WHERE name = 'schema'").get()
    database.close()
    return row?.value
  }

  test.each(['backup all.db', 'keys list', 'export exported', 'serve --port 0 --metrics-port 0'])(
    'muster %s refuses a store from before the first release and says what to do',
    async (words) => {
      await cli.run('org add emea')
      const database = new DatabaseSync(join(cli.dataDir, 'muster.db'))
      database.exec("INSERT INTO migrations VALUES (999, '0002-ingest', 1)")
      database.close()
      const { code, stderr } = await cli.run(words)
      expect(stderr).toMatch(new RegExp(`^${unreleased}`))
      expect(code).toBe(1)
      expect(existsSync(join(cli.folder, 'all.db'))).toBe(false)
    },
  )

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
  const cli = useCommandLine('postgres', { isEmpty: true })

  test.each([
    [
      `INSERT INTO migrations VALUES (${schemaNumber + 1}, 'later', 1)`,
      'Use the version that wrote the database',
    ],
    ["INSERT INTO migrations VALUES (999, '0002-ingest', 1)", unreleased],
  ])('refuses a PostgreSQL store with another schema: %s', async (sql, message) => {
    await cli.run('org add emea')
    const db = openPostgres(cli.settings.MUSTER_DATABASE_URL ?? '', { connections: 1 })
    await db.inTransaction((tx) => tx.run(sql))
    await db.close()
    const { code, stderr } = await cli.run('backup all.db')
    expect(stderr).toContain(message)
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
