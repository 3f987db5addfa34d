import { copyFileSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { type CommandLine, useCommandLine } from '../../../../test/support/command-line.ts'
import { createKey, startMuster } from '../../../../test/support/muster-process.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { openStore } from '../../kernel/store/lifecycle/open.ts'

/** Reads the figures of all apps. */
async function appFigures({ dataDir, settings }: CommandLine) {
  const db = await openStore({ dataDir, databaseUrl: settings.MUSTER_DATABASE_URL }, 1)
  const rows = await db.all<{ accounts: number }>('SELECT * FROM app_figures ORDER BY org, app_id')
  await db.close()
  return rows.filter(({ accounts }) => accounts > 0)
}

for (const store of STORES) {
  describe(store, () => {
    const cli = useCommandLine(store)

    describe('a backup', () => {
      beforeEach(async () => {
        await cli.run('demo --employees 20 --days 10 --now 2026-10-01')
        await cli.run('org add emea')
      })

      for (const other of STORES) {
        test(`is restored to an empty ${other}: records, organizations and keys`, async () => {
          await cli.run('export before')
          expect((await cli.run('backup all.db')).code).toBe(0)
          const elsewhere = await cli.another(other)
          const { code, stderr } = await elsewhere.run('restore all.db')
          expect({ code, stderr }).toMatchObject({
            code: 0,
            stderr: expect.stringContaining('Next: muster doctor'),
          })
          await elsewhere.run('export after')
          expect(cli.files('after')).toEqual(cli.files('before'))
          expect(await elsewhere.json('keys list')).toEqual(await cli.json('keys list'))
          expect(await elsewhere.json('org list')).toEqual(await cli.json('org list'))
          const figures = await appFigures(cli)
          expect(figures.length).toBeGreaterThan(5)
          expect(await appFigures(elsewhere)).toEqual(figures)
          expect(await elsewhere.json('doctor --port 0 --metrics-port 0')).toMatchObject({ ok: true })
          // New records can be added.
          expect((await elsewhere.json('demo --org emea --employees 5 --days 10')).records.employees).toBe(5)
        })
      }

      test('is readable only by its owner, and never overwritten', async () => {
        expect(await cli.json('backup all.db')).toEqual({
          file: join(cli.folder, 'all.db'),
          bytes: statSync(join(cli.folder, 'all.db')).size,
          source: store,
          masterKey: true,
          creationTimestamp: expect.any(Number),
        })
        expect(statSync(join(cli.folder, 'all.db')).mode & 0o777).toBe(0o600)
        const before = readFileSync(join(cli.folder, 'all.db'))
        const { code, stderr } = await cli.run('backup all.db')
        expect(code).toBe(1)
        expect(stderr).toContain('all.db already exists. Choose another file name.')
        expect(readFileSync(join(cli.folder, 'all.db')).equals(before)).toBe(true)
      })

      test('replaces existing data only with --force', async () => {
        await cli.run('backup all.db')
        const figures = await appFigures(cli)
        await cli.run('org add later')
        const { code, stderr } = await cli.run('restore all.db')
        expect(code).toBe(1)
        expect(stderr).toContain('--force')
        expect(await cli.json('org list')).toHaveLength(3)
        expect((await cli.run('restore all.db --force')).code).toBe(0)
        expect(await cli.json('org list')).toHaveLength(2)
        expect(await appFigures(cli)).toEqual(figures)
      })

      test('is refused before any change if it is damaged, or not a backup', async () => {
        await cli.run('backup all.db')
        copyFileSync(join(cli.folder, 'all.db'), join(cli.folder, 'half.db'))
        truncateSync(join(cli.folder, 'half.db'), statSync(join(cli.folder, 'all.db')).size / 2)
        writeFileSync(join(cli.folder, 'text.db'), 'hello')
        const elsewhere = await cli.another('sqlite')
        for (const [file, message] of [
          ['half.db', 'damaged'],
          ['text.db', 'is not a backup of Muster'],
          ['none.db', 'cannot be read'],
        ] as const) {
          const { code, stderr } = await elsewhere.run(`restore ${file}`)
          expect(code).toBe(1)
          expect(stderr).toContain(message)
        }
        expect(existsSync(join(elsewhere.dataDir, 'muster.db'))).toBe(false)
      })
    })

    test('a backup of a running server contains every acknowledged write, and the master key', async () => {
      const settings = { ...cli.settings, MUSTER_RATE_LIMIT_SUSTAINED: '100000' }
      const server = await startMuster(settings)
      const { key } = await createKey(settings, 'ada@example.com')
      const acknowledged: string[] = []
      let writing = true
      const write = async () => {
        for (let number = 0; writing; number += 1) {
          const response = await fetch(`${server.address}/v1/employees`, {
            method: 'POST',
            headers: { 'x-api-key': key, 'content-type': 'application/json' },
            body: JSON.stringify({ email: `employee.${number}@example.com` }),
          })
          const { id } = (await response.json()) as { id: string }
          if (response.status === 200) acknowledged.push(id)
        }
      }
      const writer = write()
      for (const number of [1, 2, 3]) {
        const before = [...acknowledged]
        expect(await cli.json(`backup ${number}.db`)).toMatchObject({ masterKey: true })
        const elsewhere = await cli.another('sqlite')
        await elsewhere.run(`restore ${number}.db`)
        await elsewhere.run(`export out-${number}`)
        const text = cli.files(`out-${number}`)['employees.jsonl'] ?? ''
        expect(before.filter((id) => !text.includes(id))).toEqual([])
        expect(readFileSync(join(elsewhere.dataDir, 'muster.key'), 'utf8')).toBe(
          readFileSync(join(cli.dataDir, 'muster.key'), 'utf8'),
        )
        expect(statSync(join(elsewhere.dataDir, 'muster.key')).mode & 0o777).toBe(0o600)
        const kept = readFileSync(join(elsewhere.dataDir, 'muster.db'), 'latin1')
        expect(kept).not.toContain(readFileSync(join(cli.dataDir, 'muster.key'), 'latin1').trim())
      }
      writing = false
      await writer
      expect(acknowledged.length).toBeGreaterThan(0)

      const restored = await cli.run('restore 1.db --force')
      expect(restored.code).toBe(1)
      expect(restored.stderr).toMatch(/Stop (the server|all servers) first/)
      expect(await cli.json('backup without.db --without-key')).toMatchObject({ masterKey: false })
      expect(readFileSync(join(cli.folder, 'without.db'), 'latin1')).not.toContain(
        readFileSync(join(cli.dataDir, 'muster.key'), 'latin1').trim(),
      )
      await server.stop()
    })
  })
}
