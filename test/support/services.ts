import { execFileSync } from 'node:child_process'
import { chownSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
// biome-ignore lint/correctness/useImportExtensions: the rule takes the declaration file for the module.
import { findPostgresBin, programs } from '../../scripts/programs.mjs'
import postgres from '../../server/vendor/postgres/src/index.js'
import { freePort, type PrivateServer, startPrivateServer } from './private-server.ts'
import { makeStoreTemplates, templateDatabase } from './store-templates.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Private PostgreSQL of the run, as superuser. Tests create their own databases with `freshDatabase()`. */
    postgresUrl: string
    /** Data folder of an embedded store that has the schema of this version and no rows. */
    storeTemplate: string
    /** Private Redis of the run, shared by all tests: use your own keys. */
    redisUrl: string
  }
}

interface Service extends PrivateServer {
  url: string
}

/**
 * Global setup of Vitest: starts a PostgreSQL cluster and a Redis for the whole run, in temporary folders and on free
 * ports of 127.0.0.1. They are stopped and removed at the end, even if the run fails or is killed.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const starts = await Promise.allSettled([withRetries(startPostgres), withRetries(startRedis)])
  const running = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  const teardown = async () => {
    await Promise.all(running.map((service) => service.stop()))
  }
  const [database, redis] = running
  if (!database || !redis || running.length < starts.length) {
    await teardown()
    const reasons = starts.flatMap((start) => (start.status === 'rejected' ? [start.reason] : []))
    throw new AggregateError(reasons, `the tests' services did not start: ${reasons.join('; ')}`)
  }
  const template = temporaryFolder('template')
  await makeStoreTemplates(template, await createTemplateDatabase(database.url))
  project.provide('postgresUrl', database.url)
  project.provide('storeTemplate', template)
  project.provide('redisUrl', redis.url)
  return teardown
}

async function createTemplateDatabase(server: string): Promise<string> {
  const sql = postgres(server, { max: 1, onnotice: () => {} })
  try {
    await sql.unsafe(`CREATE DATABASE ${templateDatabase}`)
  } finally {
    await sql.end()
  }
  return Object.assign(new URL(server), { pathname: `/${templateDatabase}` }).href
}

export async function startPostgres(): Promise<Service> {
  const bin = findPostgresBin()
  if (!bin) throw new Error(`${programs.postgresql.title} was not found: run \`npm test\`, which installs it`)
  const user = unprivilegedUser()
  const folder = temporaryFolder('postgres', user)
  const cluster = join(folder, 'cluster')
  const options = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync']
  execFileSync(join(bin, 'initdb'), ['-D', cluster, ...options], { cwd: folder, stdio: 'pipe', ...user })
  const port = await freePort()
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 300,
    // The cluster does not outlive the run, so durability is useless.
    fsync: 'off',
    full_page_writes: 'off',
    // Autovacuum runs at random times and affects query plans.
    autovacuum: 'off',
    // Independent of the machine's time zone.
    timezone: 'UTC',
  }
  const server = await startPrivateServer({
    command: [
      join(bin, 'postgres'),
      '-D',
      cluster,
      ...Object.entries(settings).map(([name, value]) => `--${name}=${value}`),
    ],
    folder,
    user,
    readyText: 'database system is ready to accept connections',
  })
  return { ...server, url: `postgres://postgres@127.0.0.1:${port}/postgres` }
}

export async function startRedis(): Promise<Service> {
  const program = programs.redis.find()
  if (!program) throw new Error(`${programs.redis.title} was not found: run \`npm test\`, which installs it`)
  const folder = temporaryFolder('redis')
  const port = await freePort()
  const server = await startPrivateServer({
    command: [program, '--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    folder,
    readyText: 'eady to accept connections',
  })
  return { ...server, url: `redis://127.0.0.1:${port}` }
}

/** Makes up to three attempts, because another process may take the free port before it is used. */
async function withRetries(start: () => Promise<Service>): Promise<Service> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start()
    } catch (error) {
      if (attempt === 3) throw error
    }
  }
}

/** Returns a user for PostgreSQL, which refuses to run as root: the package's user, otherwise `nobody`. */
export function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (option: string) =>
        Number(execFileSync('id', [option, name], { encoding: 'utf8', stdio: 'pipe' }))
      return { uid: id('-u'), gid: id('-g') }
    } catch {
      // No such user: try the next one.
    }
  }
  throw new Error('PostgreSQL does not run as root, and there is neither a user `postgres` nor `nobody`')
}

export function temporaryFolder(name: string, owner?: { uid: number; gid: number }): string {
  const folder = mkdtempSync(join(tmpdir(), `muster-test-${name}-`))
  if (owner) chownSync(folder, owner.uid, owner.gid)
  return folder
}
