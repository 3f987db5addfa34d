import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { type CommandLine, useCommandLine } from '../../../../test/support/command-line.ts'
import { aBrowserExtension } from '../../../../test/support/fixtures.ts'
import { musterProgram } from '../../../../test/support/muster-process.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { until } from '../../../../test/support/until.ts'
import { openStore } from '../../kernel/store/lifecycle/open.ts'

const lines = 8_000

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

function startImport(cli: CommandLine): ChildProcess {
  const [program, ...options] = musterProgram()
  return spawn(program, [...options, 'import', 'browserExtensions.jsonl'], {
    cwd: cli.folder,
    env: { PATH: '/usr/bin:/bin', ...cli.settings },
    stdio: 'ignore',
  })
}

for (const store of STORES) {
  describe(store, () => {
    const cli = useCommandLine(store)

    test('an import that is killed up to three times completes when run again, without loss or duplicates', {
      timeout: 300_000,
    }, async () => {
      const records = Array.from({ length: lines }, (_, number) =>
        aBrowserExtension({ creationTimestamp: number }),
      )
      cli.file('browserExtensions.jsonl', records)
      await cli.run('org list')
      const { MUSTER_DATA: dataDir = '', MUSTER_DATABASE_URL: databaseUrl } = cli.settings
      const db = await openStore({ dataDir, databaseUrl }, 1)
      const count = async () =>
        (await db.get<{ count: number }>('SELECT count(*) AS count FROM browser_extensions'))?.count ?? 0
      const counts: number[] = []
      let kills = 0
      while (counts.length < 3 && counts.at(-1) !== lines) {
        const wanted = (counts.at(-1) ?? 0) + 1
        const child = startImport(cli)
        const ended = once(child, 'exit')
        await until(
          'the import has stored something',
          async () => hasEnded(child) || (await count()) >= wanted,
        )
        child.kill('SIGKILL')
        // On a busy machine it may finish before its start is noticed.
        const [code, signal] = await ended
        expect([0, 'SIGKILL']).toContain(code ?? signal)
        if (code === null) kills += 1
        counts.push(await count())
      }
      // PostgreSQL completes statements that were in progress when the process was killed.
      const working = `SELECT count(*) AS count FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'`
      if (store === 'postgres')
        await until(
          'the end of all work',
          async () => (await db.get<{ count: number }>(working))?.count === 0,
        )
      counts.push(await count())
      await db.close()
      expect(kills).toBeGreaterThan(0)
      // Batches are atomic, and stored records stay.
      expect(counts.filter((stored) => stored % 500 !== 0)).toEqual([])
      expect(counts).toEqual([...counts].sort((one, other) => one - other))

      const { total } = await cli.json('import browserExtensions.jsonl')
      expect(total).toEqual({
        added: lines - (counts.at(-1) ?? 0),
        unchanged: counts.at(-1),
        replaced: 0,
        rejected: 0,
      })
      await cli.run('export out')
      expect(
        cli.files('out')['browserExtensions.jsonl'] ===
          records.map((record) => `${JSON.stringify(record)}\n`).join(''),
      ).toBe(true)
    })
  })
}
