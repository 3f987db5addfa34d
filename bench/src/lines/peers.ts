import { createReadStream, createWriteStream, existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { finished } from 'node:stream/promises'
import postgres from 'postgres'
import { tokensOf } from '../api-client.ts'
import { type DataPlan, type FilledStore, recordFiles } from '../bench-data.ts'
import { startFloor } from '../compare.ts'
import { runLoad } from '../load.ts'
import { installPeer, type Peer, type PeerData, peerPrograms, startPeer } from '../peer-programs.ts'
import type { PostgresProcess } from '../postgres-process.ts'
import { cpuSecondsWithChildrenOf } from '../process-figures.ts'
import type { Line } from '../report.ts'
import { type ServerProcess, startMuster } from '../server-process.ts'
import { median } from '../statistics.ts'

export interface PeerSetting {
  /** Stores of Muster to compare with. */
  readonly stores: readonly FilledStore[]
  readonly plan: DataPlan
  readonly server: PostgresProcess
  readonly cache: string
  readonly rounds: number
}

const connections = 10
/** CPU time of a run, large compared to the 10 ms resolution of the system. */
const runMicroseconds = 700_000
const warmUpRequests = 300

/** CPU time per request in microseconds, including the database. */
interface Cost {
  readonly page: number
  readonly single: number
}

type NamedCost = Cost & { readonly name: string }

interface Contender {
  readonly name: string
  readonly process: ServerProcess
  readonly apiKey: string
  readonly pages: readonly string[]
  readonly singles: readonly string[]
}

/** Tables with a column for each member of a record, as a user would create them. */
const peerTables = [
  {
    name: 'extensions',
    source: 'browser_extensions',
    file: 'browserExtensions.jsonl',
    columns: `"id" text, "extensionId" text, "employeeId" text, "browserId" text, "name" text, "description" text,
      "deploymentMode" text, "permissions" jsonb, "hostPermissions" jsonb, "version" text, "versionName" text,
      "enabled" boolean, "disabledReason" text, "updateUrl" text, "homePageUrl" text, "creationTimestamp" bigint,
      "lastUpdatedTimestamp" bigint`,
  },
  {
    name: 'accounts',
    source: 'accounts',
    file: 'accounts.jsonl',
    columns: `"id" text, "employeeId" text, "appType" text, "appId" text, "email" text, "mfaRegistered" boolean,
      "mfaMethods" jsonb, "passwordId" text, "loginMethods" jsonb, "creationTimestamp" bigint,
      "lastUsedTimestamp" bigint`,
  },
] as const

/** Recreates the tables from the first of Muster's records. Returns IDs of accounts that are spread over the table. */
async function fillTables(url: string, rows: number): Promise<string[]> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    await sql.unsafe('DROP SCHEMA IF EXISTS peer CASCADE; CREATE SCHEMA peer')
    for (const { name, source, columns } of peerTables) {
      await sql.unsafe(
        `CREATE TABLE peer.${name} AS
         SELECT row_number() OVER (ORDER BY seq) AS seq, columns.*
         FROM (SELECT seq, record::json AS record FROM ${source} ORDER BY seq LIMIT ${rows}) AS source,
           json_to_record(record) AS columns (${columns})`,
      )
      await sql.unsafe(`ALTER TABLE peer.${name} ADD PRIMARY KEY (id)`)
      await sql.unsafe(`CREATE UNIQUE INDEX ON peer.${name} (seq)`)
      await sql.unsafe(`VACUUM ANALYZE peer.${name}`)
    }
    const sampled = await sql<{ id: string }[]>`SELECT id FROM peer.accounts WHERE seq % 211 = 0 ORDER BY seq`
    return sampled.map(({ id }) => id)
  } finally {
    await sql.end()
  }
}

/** Writes the same rows to a JSON file, unless it exists. */
async function peerFile(plan: DataPlan): Promise<string> {
  const path = join(plan.folder, 'peers.json')
  if (existsSync(path)) return path
  const folder = await recordFiles(plan)
  const out = createWriteStream(`${path}.part`)
  for (const [at, { name, file }] of peerTables.entries()) {
    out.write(`${at === 0 ? '{' : ','}"${name}":[`)
    let count = 0
    for await (const line of createInterface({ input: createReadStream(join(folder, file)) })) {
      if (count === plan.rows) break
      out.write(`${count === 0 ? '' : ','}${line}`)
      count += 1
    }
    out.write(']')
  }
  out.end('}')
  await finished(out)
  renameSync(`${path}.part`, path)
  return path
}

async function musterContender(store: FilledStore, ids: readonly string[]): Promise<Contender> {
  const process = await startMuster(store, false)
  const list = '/v1/browserExtensions'
  const page = (token: string) => `${list}?limit=1000&nextToken=${token}`
  const tokens = await tokensOf(process.address, store.apiKey, page, 100)
  return {
    name: `Muster on ${store.name}`,
    process,
    apiKey: store.apiKey,
    pages: tokens.slice(0, -1).map((token) => `${list}?nextToken=${token}`),
    singles: ids.map((id) => `/v1/accounts/${id}`),
  }
}

/** Adds the floor, which shows the best that any program can reach on the same store. */
async function floorContender(store: FilledStore, ids: readonly string[]): Promise<Contender> {
  const process = await startFloor(store, false)
  const { address } = process
  const page = (token: string) => `/list?limit=1000&after=${token || '0'}`
  const tokens = await tokensOf(address, store.apiKey, page, 100)
  return {
    name: `floor on ${store.name}`,
    process,
    apiKey: store.apiKey,
    pages: tokens.slice(0, -1).map((token) => `/list?limit=100&after=${token}`),
    singles: ids.map((id) => `/single/${id}`),
  }
}

async function peerContender(
  peer: Peer,
  cache: string,
  data: PeerData,
  { ids, rows }: { ids: readonly string[]; rows: number },
): Promise<Contender> {
  const process = await startPeer(peer, installPeer(peer, cache), data)
  return {
    name: peer.name,
    process,
    apiKey: '',
    pages: Array.from({ length: 99 }, (_, at) => peer.page(Math.floor((at * rows) / 100))),
    singles: ids.map((id) => peer.single(id)),
  }
}

/** Measures the CPU time of a server and the database for one kind of request. */
async function costOf(
  { process, apiKey, pages, singles }: Contender,
  kind: keyof Cost,
  amount: number,
  databasePid: number,
): Promise<number> {
  const paths = kind === 'page' ? pages : singles
  const before = cpuSecondsWithChildrenOf(databasePid)
  const { cpuMicroseconds } = await runLoad(process, { paths, apiKey, connections, amount })
  return cpuMicroseconds + ((cpuSecondsWithChildrenOf(databasePid) - before) / amount) * 1e6
}

/** Loads all in turn, A B C A B C …. The first two rounds are a warm-up that determines the number of requests. */
async function costsOf(all: readonly Contender[], { server, rounds }: PeerSetting) {
  const seen = all.map(({ name }) => ({ name, page: [] as number[], single: [] as number[] }))
  for (let round = 0; round < rounds + 2; round += 1) {
    for (const [at, contender] of all.entries()) {
      for (const kind of ['page', 'single'] as const) {
        const costs = seen[at]?.[kind] ?? []
        const last = costs.at(-1)
        const amount = last === undefined ? warmUpRequests : Math.ceil(runMicroseconds / Math.max(last, 50))
        costs.push(await costOf(contender, kind, amount, server.pid))
      }
    }
  }
  const settled = (costs: readonly number[]) => median(costs.slice(2))
  return seen.map(({ name, page, single }) => ({ name, page: settled(page), single: settled(single) }))
}

/**
 * Line 11: alternatives to Muster with the same rows. The peers check no keys, limit no rates and separate no organizations,
 * to their advantage. A peer that cannot be installed or started is reported with the reason.
 */
export async function peers(setting: PeerSetting): Promise<Line[]> {
  const databaseUrl = setting.server.urlOf('muster')
  const { rows } = setting.plan
  const ids = await fillTables(databaseUrl, rows)
  const data = { databaseUrl, file: await peerFile(setting.plan) }
  const contenders: Contender[] = []
  const missing: string[] = []
  try {
    for (const store of setting.stores) contenders.push(await musterContender(store, ids))
    for (const store of setting.stores) contenders.push(await floorContender(store, ids))
    for (const peer of peerPrograms) {
      try {
        contenders.push(await peerContender(peer, setting.cache, data, { ids, rows }))
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        missing.push(`${peer.name}: ${reason.replace(/\s+/g, ' ').slice(0, 200)}`)
      }
    }
    return peersLines(await costsOf(contenders, setting), setting.stores, missing)
  } finally {
    for (const { process } of contenders) await process.stop()
  }
}

/**
 * Returns a line for each store.
 *
 * @param costs of Muster on each store, of the floor on each store, and of the peers
 */
function peersLines(
  costs: readonly NamedCost[],
  stores: readonly FilledStore[],
  missing: readonly string[],
): Line[] {
  const others = costs.slice(2 * stores.length)
  const best = (kind: keyof Cost) => Math.min(...others.map((other) => other[kind]))
  const shown = ({ name, page, single }: NamedCost) => `${name} ${page.toFixed(0)} / ${single.toFixed(0)}`
  const notRun = missing.length > 0 ? `; not run: ${missing.join('; ')}` : ''
  return stores.flatMap((store, at) => {
    const [muster, floor] = [costs[at], costs[stores.length + at]]
    if (!muster || !floor) return []
    const [page, single] = [best('page') / muster.page, best('single') / muster.single]
    const ofFloor = `${(best('page') / floor.page).toFixed(1)} / ${(best('single') / floor.single).toFixed(1)}`
    const each = [muster, floor, ...others].map(shown).join(', ')
    return {
      number: 11,
      workload: `best peer ÷ Muster, page / by id, ${store.name}`,
      target: '≥ 8 / ≥ 2.5',
      measured: `${others.length === 0 ? 'no peer ran' : `${page.toFixed(1)} / ${single.toFixed(1)}; best peer ÷ floor ${ofFloor}`}  (CPU µs with the database's: ${each}${notRun})`,
      met: others.length === 0 ? undefined : page >= 8 && single >= 2.5,
      figures: { muster, floor, others, missing },
    }
  })
}
