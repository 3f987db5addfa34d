import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
// biome-ignore lint/correctness/useImportExtensions: the rule takes the declaration file for the module.
import { programs } from '../../scripts/programs.mjs'
import postgres from '../../server/vendor/postgres/src/index.js'
import { freePort, startPrivateServer } from './private-server.ts'
import { temporaryFolder, unprivilegedUser } from './services.ts'

/** PgBouncer settings by configuration name. */
export interface PgBouncerSettings {
  readonly pool_mode: 'session' | 'transaction' | 'statement'
  readonly default_pool_size?: number
  readonly ignore_startup_parameters?: string
  readonly server_round_robin?: 0 | 1
}

/** Private PgBouncer in front of a test database. */
export interface PgBouncer {
  /** URL of the database through PgBouncer. */
  readonly url: string
  /** Changes the settings at run time. */
  reload(settings: PgBouncerSettings): Promise<void>
  stop(): Promise<void>
}

/** @param databaseUrl direct URL of the database */
export async function startPgBouncer(databaseUrl: string, settings: PgBouncerSettings): Promise<PgBouncer> {
  const program = programs.pgbouncer.find()
  if (!program)
    throw new Error(`${programs.pgbouncer.title} was not found: run \`npm test\`, which installs it`)
  const database = new URL(databaseUrl)
  const user = unprivilegedUser()
  const folder = temporaryFolder('pgbouncer', user)
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  const configure = (given: PgBouncerSettings): void => {
    const lines = {
      listen_addr: '127.0.0.1',
      listen_port: port,
      unix_socket_dir: '',
      auth_type: 'any',
      admin_users: 'postgres',
      ...given,
    }
    const text = Object.entries(lines).map(([name, value]) => `${name} = ${value}`)
    const server = `host=${database.hostname} port=${database.port} user=postgres`
    writeFileSync(file, `[databases]\n* = ${server}\n[pgbouncer]\n${text.join('\n')}\n`, { mode: 0o644 })
  }
  configure(settings)
  const server = await startPrivateServer({
    command: [program, file],
    folder,
    user,
    stopSignal: 'TERM',
    readyText: 'process up',
  })
  const url = new URL(databaseUrl)
  url.port = String(port)
  return {
    url: url.href,
    reload: async (given) => {
      configure(given)
      const console = new URL(url)
      console.pathname = '/pgbouncer'
      const sql = postgres(console.href, { max: 1, fetch_types: false, onnotice: () => {} })
      await sql.unsafe('RELOAD').simple()
      await sql.end()
    },
    stop: server.stop,
  }
}
