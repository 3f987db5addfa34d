import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  createKey,
  type DataPlan,
  type FilledStore,
  importRecords,
  recordFiles,
  recreateDatabase,
} from '../bench-data.ts'
import { compare, startServerPair } from '../compare.ts'
import { createFloorTables } from '../floor-postgres.ts'
import { createFloorFile } from '../floor-sqlite.ts'
import type { PostgresProcess } from '../postgres-process.ts'
import type { Line } from '../report.ts'

/** Creates a separate store for writes. It contains the employees, so writes do not go to empty tables. */
export async function storeForWrites(plan: DataPlan, server?: PostgresProcess): Promise<FilledStore> {
  const folder = join(plan.folder, 'writes')
  rmSync(folder, { recursive: true, force: true })
  const databaseUrl = server?.urlOf('muster_writes')
  if (server) await recreateDatabase(server, 'muster_writes')
  const store = { dataDir: folder, databaseUrl }
  const imported = await importRecords(store, [join(await recordFiles(plan), 'employees.jsonl')])
  const apiKey = await createKey(store)
  if (databaseUrl !== undefined) {
    await createFloorTables(databaseUrl)
    return { ...store, name: 'PostgreSQL', apiKey, imported, floorOptions: ['--postgres', databaseUrl] }
  }
  const file = join(folder, 'floor.db')
  createFloorFile(join(folder, 'muster.db'), file)
  return { ...store, name: 'SQLite', apiKey, imported, floorOptions: ['--file', file] }
}

/** Route of the floor: one row, or everything that the contract requires for a new employee, in tables that start empty. */
export type FloorWrite = '/single' | '/equivalent'

/**
 * Number of warm-up requests. A server runs for weeks, and V8 optimizes functions over time: it optimized 97 functions of a POST
 * after 15,000 to 20,000 requests, and 15 more in the next 10,000.
 */
const warmUp = 20_000

/** Line 6: single new employees, each durable before the response. */
export async function writes(
  store: FilledStore,
  floorWrite: FloorWrite,
  connections: number,
  rounds: number,
): Promise<Line> {
  const servers = await startServerPair(store, false)
  const run = randomUUID()
  let added = 0
  const body = () =>
    JSON.stringify({ email: `${run}.${added++}@example.com`, firstName: 'New', lastName: 'Employee' })
  const load = { apiKey: store.apiKey, connections, amount: connections === 1 ? 3000 : 12_000, body }
  try {
    const { floor, muster, ratio } = await compare(
      servers,
      {
        floor: { ...load, method: 'POST', paths: [floorWrite] },
        muster: { ...load, method: 'POST', paths: ['/v1/employees'] },
      },
      rounds,
      warmUp,
    )
    const side = ({ cpuMicroseconds, requestsPerSecond, p50Ms, p99Ms }: typeof floor) =>
      `${cpuMicroseconds.toFixed(0)} µs, ${requestsPerSecond.toFixed(0)}/s, p50 ${p50Ms.toFixed(2)} p99 ${p99Ms.toFixed(2)} ms`
    return {
      number: 6,
      workload: `POST employee, ${connections} client${connections === 1 ? '' : 's'}, ${store.name}`,
      target: floorWrite === '/equivalent' ? '≥ 0.60 of the equivalent floor' : '– (floor of one row)',
      measured: `${ratio.toFixed(2)}  (floor ${side(floor)}; Muster ${side(muster)})`,
      // One row with one key is not an equivalent response, so it has no target (ADR 0025).
      met: floorWrite === '/equivalent' ? ratio >= 0.6 : undefined,
      figures: { floor, muster, ratio },
    }
  } finally {
    await servers.stop()
  }
}
