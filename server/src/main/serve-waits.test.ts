import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { useCommandLine } from '../../../test/support/command-line.ts'
import { musterProgram } from '../../../test/support/muster-process.ts'
import { until } from '../../../test/support/until.ts'
import { openStore, sqliteFile } from '../kernel/store/lifecycle/open.ts'
import { leaveWriterNote } from '../kernel/store/lifecycle/writer-note.ts'

describe('a server started while an import uses the embedded store exclusively', () => {
  const cli = useCommandLine('sqlite', { isEmpty: true })
  let commit: () => Promise<void>
  let close: () => Promise<void>
  let server: ChildProcess
  let stderr = ''
  beforeEach(async () => {
    await cli.run('org list')
    const db = await openStore({ dataDir: cli.dataDir }, 1)
    const begun = Promise.withResolvers<void>()
    const end = Promise.withResolvers<void>()
    const writing = db.inTransaction(() => {
      begun.resolve()
      return end.promise
    })
    await begun.promise
    commit = async () => {
      end.resolve()
      await writing
    }
    close = db.close
    leaveWriterNote(sqliteFile(cli.dataDir), 'muster import of accounts.jsonl', 0)
    stderr = ''
    const [program, ...options] = musterProgram()
    const words = ['serve', '--plain-http', '--host', '127.0.0.1', '--port', '0']
    server = spawn(program, [...options, ...words], {
      cwd: cli.folder,
      env: { PATH: '/usr/bin:/bin', ...cli.settings, MUSTER_METRICS_PORT: '0', MUSTER_DRAIN_SECONDS: '0' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    server.stderr?.on('data', (chunk) => {
      stderr += chunk
    })
    await until('waiting message', () => stderr.includes('Waiting for the database') || undefined)
  })
  afterEach(async () => {
    server.kill('SIGKILL')
    await commit()
    await close()
  })
  const ended = async (): Promise<number> => {
    const exit = once(server, 'exit')
    server.kill('SIGTERM')
    return (await exit)[0]
  }

  test('names the import, and starts as soon as it ends', async () => {
    expect(stderr).toContain(
      `Waiting for the database in ${cli.dataDir}: muster import of accounts.jsonl is writing to it (process ${process.pid}, `,
    )
    expect(stderr).not.toContain('Muster serves at')
    await commit()
    await until('server', () => stderr.includes('Muster serves at') || undefined)
    expect(await ended()).toBe(0)
  })

  test('stops immediately on SIGTERM', async () => {
    expect(await ended()).toBe(1)
    expect(stderr).toContain('muster serve was interrupted.')
  })
})
