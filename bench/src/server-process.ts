import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

/** A server process under load. */
export interface ServerProcess {
  /** For example `http://127.0.0.1:40123`. */
  readonly address: string
  readonly pid: number
  /** Milliseconds from the start of the process until it printed its address. */
  readonly startMs: number
  stop(): Promise<void>
}

/** Store of a Muster server: a data directory and, optionally, a PostgreSQL database. */
export interface MusterStore {
  readonly dataDir: string
  readonly databaseUrl?: string | undefined
}

/** Starts a program of this repository and waits until it prints its address. */
export async function startServer(
  script: string,
  options: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  nodeOptions: readonly string[] = [],
): Promise<ServerProcess> {
  const beganMs = performance.now()
  const child = spawn(process.execPath, [...nodeOptions, join(root, script), ...options], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const address = await addressOf(child)
  return {
    address,
    pid: child.pid ?? 0,
    startMs: performance.now() - beganMs,
    stop: async () => {
      if (child.exitCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    const read = (part: Buffer) => {
      output = (output + part.toString()).slice(-10_000)
      const address = /https?:\/\/(?:127\.0\.0\.1|localhost):\d+/.exec(output)?.[0]
      if (address) resolve(address)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', (code) => reject(new Error(`the server exited with code ${code}: ${output}`)))
    child.once('error', reject)
  })
}

const environmentOf = ({ dataDir, databaseUrl }: MusterStore): Record<string, string> => ({
  MUSTER_DATA: dataDir,
  ...(databaseUrl === undefined ? {} : { MUSTER_DATABASE_URL: databaseUrl }),
  MUSTER_RATE_LIMIT_SUSTAINED: '1000000',
  MUSTER_RATE_LIMIT_BURST: '1000000',
  MUSTER_METRICS_PORT: '0',
  MUSTER_DRAIN_SECONDS: '0',
})

/** Starts Muster with a rate limit that no load reaches, unless `settings` set one. */
export const startMuster = (
  store: MusterStore,
  tls: boolean,
  nodeOptions: readonly string[] = [],
  settings: Readonly<Record<string, string>> = {},
) =>
  startServer(
    'server/src/main/muster.mjs',
    ['serve', '--host', '127.0.0.1', '--port', '0', ...(tls ? [] : ['--plain-http'])],
    { ...environmentOf(store), ...settings },
    nodeOptions,
  )

/** Runs a `muster` command and returns its output. */
export async function runMuster(store: MusterStore, words: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [join(root, 'server/src/main/muster.mjs'), ...words], {
    env: { ...process.env, ...environmentOf(store) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const parts: Buffer[] = []
  child.stdout.on('data', (part: Buffer) => parts.push(part))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`muster ${words.join(' ')} exited with code ${code}`)
  return Buffer.concat(parts).toString()
}
