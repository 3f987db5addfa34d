import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
// biome-ignore lint/correctness/useImportExtensions: the rule takes the declaration file for the module.
import { findPostgresBin } from '../../scripts/programs.mjs'
import { freePort } from './free-port.ts'

/** A private PostgreSQL server, with its data in the bench's cache. */
export interface PostgresProcess {
  readonly pid: number
  urlOf(database: string): string
  stop(): Promise<void>
}

/** Returns the user that runs PostgreSQL, which refuses to run as root: the user `postgres` of its package. */
function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/**
 * Starts a cluster in `folder`, and creates it on the first run. Commits are durable.
 *
 * @returns undefined if PostgreSQL is not installed
 */
export async function startPostgres(folder: string): Promise<PostgresProcess | undefined> {
  const bin = findPostgresBin()
  if (!bin) return undefined
  const user = unprivilegedUser()
  const cluster = join(folder, 'cluster')
  if (!existsSync(cluster)) {
    mkdirSync(folder, { recursive: true })
    if (user) chownSync(folder, user.uid, user.gid)
    const options = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8']
    execFileSync(join(bin, 'initdb'), ['-D', cluster, ...options], { cwd: folder, stdio: 'pipe', ...user })
  }
  const port = await freePort()
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    shared_buffers: '512MB',
    max_wal_size: '4GB',
  }
  const child = spawn(
    join(bin, 'postgres'),
    ['-D', cluster, ...Object.entries(settings).map(([name, value]) => `--${name}=${value}`)],
    { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], ...user },
  )
  let output = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (part: Buffer) => {
      output = (output + part.toString()).slice(-4000)
      if (output.includes('ready to accept connections')) resolve()
    })
    child.once('exit', () => reject(new Error(`PostgreSQL did not start: ${output}`)))
  })
  return {
    pid: child.pid ?? 0,
    urlOf: (database) => `postgres://postgres@127.0.0.1:${port}/${database}`,
    stop: async () => {
      child.kill('SIGINT')
      await once(child, 'exit')
    },
  }
}
