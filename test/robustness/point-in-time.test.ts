import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
// biome-ignore lint/correctness/useImportExtensions: the rule takes the declaration file for the module.
import { findPostgresBin } from '../../scripts/programs.mjs'
import postgres from '../../server/vendor/postgres/src/index.js'
import { createKey, runMuster, type Settings, startMuster } from '../support/muster-process.ts'
import { freePort, type PrivateServer, startPrivateServer } from '../support/private-server.ts'
import { temporaryFolder, unprivilegedUser } from '../support/services.ts'
import { until } from '../support/until.ts'

const bin = findPostgresBin() ?? ''
const user = unprivilegedUser()
const folder = temporaryFolder('point-in-time', user)
const data = mkdtempSync(join(tmpdir(), 'muster-point-in-time-'))
const [cluster, archive, copy] = ['cluster', 'archive', 'copy'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
]
const running: PrivateServer[] = []
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop()
  for (const each of [folder, data]) rmSync(each, { recursive: true, force: true })
})

const run = (program: string, ...args: string[]): void => {
  execFileSync(join(bin, program), args, { cwd: folder, stdio: 'pipe', ...user })
}

/** Starts PostgreSQL on a folder, which it leaves there. @returns its URL, and a function that stops it */
async function start(on: string, more: Readonly<Record<string, string>>) {
  const port = await freePort()
  const settings = {
    port: `${port}`,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
  }
  const server = await startPrivateServer({
    command: [
      join(bin, 'postgres'),
      '-D',
      on,
      ...Object.entries({ ...settings, ...more }).map(([name, value]) => `--${name}=${value}`),
    ],
    folder: temporaryFolder('point-in-time-run', user),
    user,
    readyText: 'database system is ready to accept connections',
  })
  running.push(server)
  return { port, url: `postgres://postgres@127.0.0.1:${port}/postgres`, stop: () => server.stop() }
}

/** Runs SQL and returns the first value. */
async function firstValue(url: string, sql: string): Promise<string> {
  const client = postgres(url, { max: 1 })
  const [row] = await client.unsafe(sql)
  await client.end()
  return String(Object.values(row ?? {})[0])
}

test('PostgreSQL is restored to a moment, and Muster serves what it had then', async () => {
  run('initdb', '-D', cluster, '--username=postgres', '--auth=trust', '--no-sync')
  mkdirSync(archive)
  chmodSync(archive, 0o777)
  // The settings of the guide.
  const source = await start(cluster, {
    archive_mode: 'on',
    archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
  })
  const settings: Settings = { MUSTER_DATABASE_URL: source.url, MUSTER_DATA: data }
  await createKey(settings, 'before@example.com')
  const connection = ['-h', '127.0.0.1', '-p', `${source.port}`, '-U', 'postgres']
  run('pg_basebackup', '-D', copy, '--checkpoint=fast', ...connection)
  await createKey(settings, 'kept@example.com')
  const moment = await firstValue(source.url, 'SELECT clock_timestamp()::text AS moment')
  await createKey(settings, 'lost@example.com')
  const segment = await firstValue(source.url, 'SELECT pg_walfile_name(pg_switch_wal()) AS name')
  await until('archived', () => existsSync(join(archive, segment)))
  await source.stop()

  writeFileSync(join(copy, 'recovery.signal'), '')
  const restored = await start(copy, {
    restore_command: `cp ${archive}/%f %p`,
    recovery_target_time: moment,
    recovery_target_action: 'promote',
  })
  const elsewhere: Settings = { MUSTER_DATABASE_URL: restored.url, MUSTER_DATA: data }
  const { stdout } = await runMuster(['keys', 'list'], elsewhere)
  expect(stdout).toContain('before@example.com')
  expect(stdout).toContain('kept@example.com')
  expect(stdout).not.toContain('lost@example.com')
  const server = await startMuster(elsewhere)
  expect((await fetch(`${server.address}/readyz`)).status).toBe(200)
  expect(await server.stop()).toBe(0)
})
