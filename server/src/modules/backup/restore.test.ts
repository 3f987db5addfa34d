import { copyFileSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, test } from 'vitest'
import { type CommandLine, useCommandLine } from '../../../../test/support/command-line.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { newMasterKey } from '../../kernel/lib/secrets/secret.ts'
import { openStore } from '../../kernel/store/lifecycle/open.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { findSession, insertSession } from '../sign-in/sessions.service.ts'

const session = {
  hash: 'hash',
  org: 1,
  administratorId: 'ada',
  stage: 'ACTIVE',
  creationTimestamp: 1,
  lastSeenTimestamp: 1,
  authenticatedTimestamp: 1,
  challenge: null,
  challengeTimestamp: null,
  sourceIpAddress: '127.0.0.1',
  userAgent: null,
} as const

for (const store of STORES) {
  describe(store, () => {
    const cli = useCommandLine(store)

    /** Runs SQL on a backup. */
    function change(file: string, sql: string): void {
      const database = new DatabaseSync(join(cli.folder, file))
      database.exec(sql)
      database.close()
    }

    const namesOfOrganizations = async () =>
      (await cli.json<{ name: string }[]>('org list')).map(({ name }) => name)

    describe('an unusable backup', () => {
      beforeEach(async () => {
        await cli.run('org add emea')
        await cli.run('backup all.db')
        await cli.run('org add later')
      })

      test.each([
        ["INSERT INTO migrations VALUES (999, 'later', 1)", 'was made by a newer version of Muster'],
        ["INSERT INTO migrations VALUES (999, '0002-ingest', 1)", 'Run muster export with that commit'],
        [
          "DELETE FROM migrations; UPDATE muster_backup SET value = '0' WHERE name = 'schema'",
          'cannot be migrated to this version',
        ],
      ])('does not change the store, even with --force: %s', async (sql, message) => {
        change('all.db', sql)
        const { code, stderr } = await cli.run('restore all.db --force')
        expect(stderr).toContain(message)
        expect(stderr).not.toContain('    at ')
        expect(code).toBe(1)
        expect(await namesOfOrganizations()).toEqual(['default', 'emea', 'later'])
        const elsewhere = await cli.another(store)
        expect((await elsewhere.run('restore all.db')).code).toBe(1)
        expect(readdirSync(elsewhere.dataDir)).toEqual([])
      })
    })

    test('the schema of the data counts, not that of the label', async () => {
      await cli.run('org add emea')
      await cli.run('backup all.db')
      change('all.db', "UPDATE muster_backup SET value = '999' WHERE name = 'schema'")
      const elsewhere = await cli.another(store)
      expect((await elsewhere.run('restore all.db')).code).toBe(0)
      expect(await elsewhere.json('org list')).toHaveLength(2)
    })

    describe('side files of a killed process are not applied to the restored database', () => {
      let elsewhere: CommandLine
      beforeEach(async () => {
        await cli.run('org add emea')
        await cli.run('backup all.db')
        elsewhere = await cli.another('sqlite')
      })

      /** Leaves a side file of a half-finished change to a database of the same schema. */
      function leaveBehind(ending: string, as: string, change: string): void {
        const file = join(cli.folder, 'another.db')
        copyFileSync(join(cli.folder, 'all.db'), file)
        const database = new DatabaseSync(file)
        database.exec(change)
        copyFileSync(file + ending, join(elsewhere.dataDir, as))
        database.close()
      }

      test.each([
        [
          'the journal of an import into a removed database',
          '-journal',
          'muster.db-journal',
          `PRAGMA cache_size = 1; BEGIN; UPDATE organizations SET name = 'half ' || no; CREATE TABLE large (bytes);
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) INSERT INTO large SELECT randomblob(1000) FROM n`,
        ],
        [
          'the write-ahead log of a restore',
          '-wal',
          'muster.db.restoring-wal',
          "PRAGMA journal_mode = WAL; UPDATE organizations SET name = 'of another ' || no",
        ],
      ])('%s', async (_, ending, as, change) => {
        leaveBehind(ending, as, change)
        await cli.run('org add later')
        await cli.run('backup later.db')
        expect((await elsewhere.run('restore later.db')).code).toBe(0)
        expect(readdirSync(elsewhere.dataDir)).not.toContain(as)
        const names = (await elsewhere.json<{ name: string }[]>('org list')).map(({ name }) => name)
        expect(names).toEqual(['default', 'emea', 'later'])
      })
    })

    describe.each(STORES)('after a restore to an empty %s', (other) => {
      const opened = async <T>({ settings }: CommandLine, work: (db: Db) => Promise<T>): Promise<T> => {
        const { MUSTER_DATA: dataDir = '', MUSTER_DATABASE_URL: databaseUrl } = settings
        const db = await openStore({ dataDir, databaseUrl }, 1)
        try {
          return await work(db)
        } finally {
          await db.close()
        }
      }

      test('console sessions are gone', async () => {
        await opened(cli, (db) => db.inTransaction((tx) => insertSession(tx, session)))
        await cli.run('backup all.db')
        const elsewhere = await cli.another(other)
        expect((await elsewhere.run('restore all.db')).code).toBe(0)
        expect(await opened(elsewhere, (db) => findSession(db, session.hash))).toBeUndefined()
      })

      test('a backup with too many organizations for the embedded store needs PostgreSQL, and backup says so', async () => {
        const row = [1024, 'large', 'large', 1]
        const columns = ['no', 'id', 'name', 'creation_timestamp']
        const large = await cli.another('postgres')
        await large.run('org list')
        await opened(large, (db) => db.inTransaction((tx) => tx.insert('organizations', columns, [row])))
        expect((await large.run('backup all.db')).stderr).toContain('It can only be restored to PostgreSQL')
        const elsewhere = await cli.another(other)
        const { code, stderr } = await elsewhere.run('restore all.db')
        const refused = { code: 1, stderr: expect.stringContaining('Restore it to PostgreSQL') }
        expect({ code, stderr }).toEqual(
          other === 'sqlite' ? refused : { code: 0, stderr: expect.any(String) },
        )
        if (other === 'sqlite') expect(readdirSync(elsewhere.dataDir)).toEqual([])
      })
    })

    test('the next step names the data folder where needed', async () => {
      await cli.run('org add emea')
      await cli.run('backup all.db')
      const elsewhere = await cli.another(store)
      expect((await elsewhere.run('restore all.db --data other')).stderr).toContain(
        'Next: muster doctor --data other, then muster serve --data other.',
      )
    })

    describe('a backup without the master key', () => {
      beforeEach(async () => {
        await cli.run('webhooks add --url https://siem.example.com')
        await cli.run('backup all.db --without-key')
      })
      const keyOf = async (folder: string) => {
        await cli.run(`backup with-key-${folder}.db`)
        const database = new DatabaseSync(join(cli.folder, `with-key-${folder}.db`))
        const row = database.prepare("SELECT value FROM muster_backup WHERE name = 'masterKey'").get()
        database.close()
        return String(row?.value)
      }

      test('is restored without a warning if the key is set', async () => {
        const elsewhere = await cli.another(store)
        Object.assign(elsewhere.settings, { MUSTER_SECRET_KEY: await keyOf('one') })
        expect(await elsewhere.run('restore all.db')).toMatchObject({
          code: 0,
          stderr: expect.stringContaining('MUSTER_SECRET_KEY provides the master key.'),
        })
      })

      test('is refused if another key is set; says where to put the key if there is none', async () => {
        const elsewhere = await cli.another(store)
        Object.assign(elsewhere.settings, { MUSTER_SECRET_KEY: newMasterKey().toString('hex') })
        expect(await elsewhere.run('restore all.db')).toMatchObject({
          code: 1,
          stderr: expect.stringContaining('MUSTER_SECRET_KEY is not the key of the backup'),
        })
        expect(await (await cli.another(store)).run('restore all.db')).toMatchObject({
          code: 0,
          stderr: expect.stringContaining('The backup contains no master key. Put the key into'),
        })
      })
    })

    describe('a backup never includes a wrong key', () => {
      beforeEach(async () => {
        await cli.run('webhooks add --url https://siem.example.com')
      })
      const other = newMasterKey().toString('base64url')

      test('from the settings', async () => {
        Object.assign(cli.settings, { MUSTER_SECRET_KEY: other })
        const { code, stderr } = await cli.run('backup all.db')
        expect(stderr).toContain('MUSTER_SECRET_KEY is not the key of the database')
        expect(stderr).toContain('--without-key')
        expect(code).toBe(1)
        expect(existsSync(join(cli.folder, 'all.db'))).toBe(false)
        expect((await cli.run('backup all.db --without-key')).code).toBe(0)
      })

      test('from the data folder', async () => {
        cli.file(`${cli.dataDir.slice(cli.folder.length + 1)}/muster.key`, [other])
        const { code, stderr } = await cli.run('backup all.db')
        expect(stderr).toContain('muster.key is not the key of the database')
        expect(code).toBe(1)
        expect(existsSync(join(cli.folder, 'all.db'))).toBe(false)
      })

      test('nor claims to contain a missing one', async () => {
        rmSync(join(cli.dataDir, 'muster.key'))
        const { code, stdout, stderr } = await cli.run('backup all.db')
        expect(stdout).toContain('all.db contains everything except the master key (')
        expect(stderr).toContain(`There is no master key in ${join(cli.dataDir, 'muster.key')}`)
        expect(code).toBe(0)
      })
    })

    test('a backup of a store without a key says so', async () => {
      await cli.run('org add emea')
      expect(await cli.run('backup all.db')).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('There is no master key yet'),
        stderr: '',
      })
      expect((await (await cli.another(store)).run('restore all.db')).stderr).toContain(
        'There is no master key yet. The first start creates it.',
      )
    })
  })
}
