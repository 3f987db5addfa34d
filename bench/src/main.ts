/**
 * `npm run bench`: compares Muster with the floor, line by line.
 *
 *   npm run bench [-- --quick] [--rows 1000000] [--sample FILE] [--lines 1,2,5] [--stores sqlite,postgres]
 *
 * The data is created once and kept in bench/.cache, or in the folder BENCH_DATA. Absolute figures of different runs or machines
 * are not comparable; only the ratios within a run are. A missed target is reported and does not fail the run. Line 18, a
 * directory of 100,000 users, takes long to fill and runs only if `--lines` names it.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type DataPlan, type FilledStore, filledPostgres, filledSqlite } from './bench-data.ts'
import { eventWrites } from './lines/event-writes.ts'
import { exactLimit } from './lines/exact-limit.ts'
import { filters } from './lines/filters.ts'
import { ingest } from './lines/ingest.ts'
import { offset } from './lines/offset.ts'
import { peers } from './lines/peers.ts'
import { severalProcesses } from './lines/processes.ts'
import { depth, getById, listByToken, type ReadSetting, readSetting } from './lines/reads.ts'
import { scim } from './lines/scim.ts'
import { importRate, memory, startTime } from './lines/whole-process.ts'
import { storeForWrites, writes } from './lines/writes.ts'
import { type PostgresProcess, startPostgres } from './postgres-process.ts'
import { type RedisProcess, startRedis } from './redis-process.ts'
import { type Line, printHead, printLine, writeResults } from './report.ts'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rows: { type: 'string' },
    sample: { type: 'string' },
    lines: { type: 'string' },
    stores: { type: 'string', default: 'sqlite,postgres' },
    rounds: { type: 'string' },
  },
})
const rows = Number(values.rows ?? (values.quick ? 100_000 : 1_000_000))
const rounds = Number(values.rounds ?? (values.quick ? 5 : 11))
const selected = values.lines?.split(',').map(Number)
const isSelected = (number: number) => selected?.includes(number) ?? true

const bench = join(import.meta.dirname, '..')
const folder = join(process.env.BENCH_DATA ?? join(bench, '.cache'), String(rows))
mkdirSync(folder, { recursive: true })
const plan: DataPlan = { folder, rows, sample: values.sample }
const lines: Line[] = []

async function report(number: number, measure: () => Promise<Line>): Promise<void> {
  if (!isSelected(number)) return
  const line = await measure()
  lines.push(line)
  printLine(line)
}

async function readLines(store: FilledStore): Promise<void> {
  for (const tls of [false, true]) {
    if (![1, 2, 3, 4, 9].some(isSelected)) return
    const setting: ReadSetting = await readSetting(store, tls, rounds)
    await report(1, () => listByToken(setting))
    await report(2, () => getById(setting))
    if (!tls) {
      await report(3, () => depth(setting))
      await report(4, () => offset(setting, rows))
      if (!values.quick) await report(9, () => memory(setting))
    }
    await setting.servers.stop()
  }
}

async function writeLines(server?: PostgresProcess): Promise<void> {
  if (!isSelected(6)) return
  const store = await storeForWrites(plan, server)
  for (const clients of [1, 64])
    for (const floorWrite of ['/single', '/equivalent'] as const)
      await report(6, () => writes(store, floorWrite, clients, rounds))
}

async function eventLines(server?: PostgresProcess): Promise<void> {
  if (!isSelected(13)) return
  for (const clients of [1, 64]) {
    const store = await storeForWrites(plan, server)
    await report(13, () => eventWrites(store, clients, rounds))
  }
}

async function ingestLines(server?: PostgresProcess): Promise<void> {
  if (!isSelected(7)) return
  const store = await storeForWrites(plan, server)
  for (const line of await ingest({ store, databasePid: server?.pid, quick: values.quick }))
    await report(7, async () => line)
}

async function peerLines(stores: readonly FilledStore[], server: PostgresProcess): Promise<void> {
  if (!isSelected(11)) return
  for (const line of await peers({ stores, plan, server, cache: join(bench, '.cache'), rounds }))
    await report(11, async () => line)
}

async function processLines(store: FilledStore, server: PostgresProcess): Promise<void> {
  if (!isSelected(12)) return
  const redis: RedisProcess | undefined = await startRedis()
  if (!redis) return console.log('Skipped line 12: Redis is not installed')
  try {
    const shared = { store, server, redis, rounds }
    for (const workload of ['list', 'by id'] as const)
      await report(12, () => severalProcesses(shared, workload))
    await report(12, () => exactLimit(shared))
  } finally {
    await redis.stop()
  }
}

async function scimLines(server?: PostgresProcess): Promise<void> {
  if (!selected?.includes(18)) return
  for await (const line of scim(plan, server)) await report(18, async () => line)
}

async function measure(
  store: FilledStore,
  server?: PostgresProcess,
  others: readonly FilledStore[] = [],
): Promise<void> {
  await readLines(store)
  await report(5, () => filters(store, values.quick ? 3 : 5))
  await writeLines(server)
  await eventLines(server)
  await ingestLines(server)
  await report(8, async () => importRate(store))
  await report(10, () => startTime(store, values.quick ? 3 : 5))
  if (server) {
    await peerLines([store, ...others], server)
    await processLines(store, server)
  }
}

// Line 18 has users of its own.
const needsRecords = selected?.some((number) => number !== 18) ?? true

printHead()
let postgres: PostgresProcess | undefined
try {
  const hasSqlite = values.stores.includes('sqlite')
  const sqlite = hasSqlite && needsRecords ? [await filledSqlite(plan)] : []
  for (const store of sqlite) await measure(store)
  if (hasSqlite) await scimLines()
  if (values.stores.includes('postgres')) {
    postgres = await startPostgres(join(folder, 'postgres'))
    if (postgres) {
      if (needsRecords) await measure(await filledPostgres(plan, postgres), postgres, sqlite)
      await scimLines(postgres)
    } else console.log('Skipped the lines of PostgreSQL: it is not installed')
  }
} finally {
  await postgres?.stop()
}
console.log(`\nResults: ${writeResults(join(bench, 'results'), rows, lines)}`)
