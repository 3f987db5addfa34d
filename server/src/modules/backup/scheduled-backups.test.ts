import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { useCommandLine } from '../../../../test/support/command-line.ts'
import { startMuster } from '../../../../test/support/muster-process.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { until } from '../../../../test/support/until.ts'
import { type FakeClock, fakeClock } from '../../kernel/lib/clock.ts'
import { openStore } from '../../kernel/store/lifecycle/open.ts'
import { readBackup } from './backup.store.ts'
import type { BackupThread } from './backup-thread.ts'
import { backUpIfDue, backupGauges, listBackups, prepareBackupFolder } from './scheduled-backups.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-backups-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const hourMs = 3_600_000
const neverAborted = new AbortController().signal
const log = { info: () => undefined }

for (const store of STORES) {
  describe(store, () => {
    const cli = useCommandLine(store)

    /** Runs tests on the store with backups that are only written as empty files. */
    const scheduled = async (
      work: (run: () => Promise<string | undefined>, clock: FakeClock) => Promise<void>,
    ) => {
      const clock = fakeClock()
      const location = { dataDir: cli.dataDir, databaseUrl: cli.settings.MUSTER_DATABASE_URL }
      const db = await openStore(location)
      const plan = { folder, everyHours: 6, keep: 3 }
      const write: BackupThread = async (_location, path) => {
        if (path.includes('T18-')) throw new Error('the disk is full')
        writeFileSync(path, 'backup')
      }
      const options = { db, clock, location, plan, masterKey: undefined, log, write }
      await work(() => backUpIfDue(options, neverAborted), clock)
      await db.close()
    }

    test('backups are made once per interval, and the oldest are deleted', () =>
      scheduled(async (run, clock) => {
        writeFileSync(join(folder, 'by-hand.db'), '')
        clock.advanceMs(Date.UTC(2027, 0, 1, 1) - clock.nowMs())
        expect(await run()).toBe('muster-2027-01-01T01-00-00Z.db')
        expect(await run()).toBeUndefined()
        clock.advanceMs(5 * hourMs)
        expect(await run()).toBe('muster-2027-01-01T06-00-00Z.db')
        for (let made = 0; made < 4; made += 1) {
          clock.advanceMs(24 * hourMs)
          await run()
        }
        expect(readdirSync(folder).sort()).toEqual([
          'by-hand.db',
          'muster-2027-01-03T06-00-00Z.db',
          'muster-2027-01-04T06-00-00Z.db',
          'muster-2027-01-05T06-00-00Z.db',
        ])
      }))

    test('a failed backup is due again, and deletes nothing', () =>
      scheduled(async (run, clock) => {
        clock.advanceMs(Date.UTC(2027, 0, 1, 18) - clock.nowMs())
        await expect(run()).rejects.toThrow('the disk is full')
        expect(readdirSync(folder)).toEqual([])
        clock.advanceMs(hourMs)
        expect(await run()).toBe('muster-2027-01-01T19-00-00Z.db')
      }))

    test('the next backup deletes what a killed process has left, but nothing that is being written', () =>
      scheduled(async (run, clock) => {
        const nowMs = Date.UTC(2027, 0, 1, 1)
        clock.advanceMs(nowMs - clock.nowMs())
        const beingWritten = 'muster-2026-12-31T23-59-00Z.db.partial'
        const left = ['.partial', '.partial-journal'].map((end) => `muster-2026-12-31T01-00-00Z.db${end}`)
        const leave = (name: string, atMs: number) => {
          writeFileSync(join(folder, name), '')
          utimesSync(join(folder, name), atMs / 1000, atMs / 1000)
        }
        for (const name of [...left, 'by-hand.db.partial']) leave(name, nowMs - 2 * hourMs)
        leave(beingWritten, nowMs)
        const made = await run()
        expect(readdirSync(folder).sort()).toEqual(['by-hand.db.partial', beingWritten, made].sort())
      }))

    test('a backup is in the audit trail, and a failed one is not', () =>
      scheduled(async (run, clock) => {
        await cli.run('org add emea')
        clock.advanceMs(Date.UTC(2027, 0, 1, 18) - clock.nowMs())
        await expect(run()).rejects.toThrow('the disk is full')
        clock.advanceMs(hourMs)
        await run()
        const { stdout } = await cli.run('audit list --json --object DATA_EXPORTED')
        expect(JSON.parse(stdout)).toMatchObject({
          actor: null,
          new: { what: 'everything', format: 'BACKUP' },
        })
      }))

    test('a running server writes a backup that can be restored', async () => {
      const server = await startMuster({ ...cli.settings, MUSTER_BACKUP_FOLDER: folder })
      const [made] = await until('backup', async () => {
        const found = await listBackups(folder)
        return found.length > 0 && found
      })
      const log = await until(
        'log',
        () => /wrote a scheduled backup/.test(server.stdout()) && server.stdout(),
      )
      expect(log).toContain(made?.name)
      await server.stop()
      const path = join(folder, `${made?.name}`)
      expect(readBackup(path)).toMatchObject({ source: store, masterKey: expect.any(String) })
      const elsewhere = await cli.another(store)
      expect(await elsewhere.run('restore', path)).toMatchObject({ code: 0 })
    })
  })
}

test('the metrics are those of the newest backup in the folder', async () => {
  const registry = new Registry()
  backupGauges(registry, { folder, everyHours: 12, keep: 7 })
  const values = async () => (await registry.metrics()).split('\n').filter((line) => /^muster/.test(line))
  expect(await values()).toEqual(['muster_backup_interval_seconds 43200'])
  for (const name of ['muster-2027-01-01T00-00-00Z.db', 'muster-2027-01-02T00-00-05Z.db', 'muster-x.db'])
    writeFileSync(join(folder, name), 'eight by')
  expect(await values()).toEqual([
    'muster_backup_interval_seconds 43200',
    `muster_backup_last_success_timestamp_seconds ${Date.UTC(2027, 0, 2, 0, 0, 5) / 1000}`,
    'muster_backup_last_size_bytes 8',
  ])
  // Alerts compare the age with the interval, and notice that there is none.
  rmSync(folder, { recursive: true })
  expect(await values()).toEqual(['muster_backup_interval_seconds 43200'])
})

test('a folder that cannot be created is reported with its setting', () => {
  writeFileSync(join(folder, 'file'), '')
  const plan = { folder: join(folder, 'file', 'backups'), everyHours: 24, keep: 7 }
  expect(() => prepareBackupFolder(plan)).toThrow(/MUSTER_BACKUP_FOLDER must be a writable folder: .*file/)
})
