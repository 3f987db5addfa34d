import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  type DataPlan,
  emptyDatabase,
  type FilledStore,
  importRecords,
  makeKey,
  recordFiles,
} from '../bench-data.ts'
import { compare, startRivals } from '../compare.ts'
import { makeFloorTables } from '../floor-postgres.ts'
import { makeFloorFile } from '../floor-sqlite.ts'
import type { PostgresProcess } from '../postgres-process.ts'
import type { Line } from '../report.ts'

/** A store of its own for writing, made anew: it holds the employees, so that there is something to write among. */
export async function storeForWrites(plan: DataPlan, server?: PostgresProcess): Promise<FilledStore> {
  const folder = join(plan.folder, 'writes')
  rmSync(folder, { recursive: true, force: true })
  const databaseUrl = server?.urlOf('muster_writes')
  if (server) await emptyDatabase(server, 'muster_writes')
  const store = { dataDir: folder, databaseUrl }
  const imported = await importRecords(store, [join(await recordFiles(plan), 'employees.jsonl')])
  const apiKey = await makeKey(store)
  if (databaseUrl !== undefined) {
    await makeFloorTables(databaseUrl)
    return { ...store, name: 'PostgreSQL', apiKey, imported, floorOptions: ['--postgres', databaseUrl] }
  }
  const file = join(folder, 'floor.db')
  makeFloorFile(join(folder, 'muster.db'), file)
  return { ...store, name: 'SQLite', apiKey, imported, floorOptions: ['--file', file] }
}

/** What the floor writes: one row, or what the contract wants kept of a new employee, into tables that begin empty. */
export type FloorWrite = '/single' | '/kept'

/**
 * A server runs for weeks, and V8 compiles what is called often only by and by: of the functions of a POST, it compiled 97 for
 * good after 15,000 to 20,000 of them, and 15 in the 10,000 that followed.
 */
const warmUp = 20_000

/** Line 6: employees added one by one, each on the disk before it is answered. */
export async function writes(
  store: FilledStore,
  floorWrite: FloorWrite,
  connections: number,
  rounds: number,
): Promise<Line> {
  const rivals = await startRivals(store, false)
  const run = randomUUID()
  let made = 0
  const body = () =>
    JSON.stringify({ email: `${run}.${made++}@example.com`, firstName: 'New', lastName: 'Employee' })
  const load = { apiKey: store.apiKey, connections, amount: connections === 1 ? 3000 : 12_000, body }
  try {
    const { floor, muster, ratio } = await compare(
      rivals,
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
      target: floorWrite === '/kept' ? '≥ 0.60 of a floor that keeps as much' : '– (a floor of one row)',
      measured: `${ratio.toFixed(2)}  (floor ${side(floor)}; Muster ${side(muster)})`,
      // One row with one key is no answer to the same request (ADR 0025).
      met: floorWrite === '/kept' ? ratio >= 0.6 : undefined,
      figures: { floor, muster, ratio },
    }
  } finally {
    await rivals.stop()
  }
}
