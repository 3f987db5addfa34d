import { hash } from 'node:crypto'
import { join } from 'node:path'
import type { FilledStore } from './bench-data.ts'
import { type Load, type Run, runLoad } from './load.ts'
import { type ServerProcess, startMuster, startServer } from './server-process.ts'
import { median } from './statistics.ts'

/** The floor and Muster side by side on the same records, both with TLS or both without. */
export interface Rivals {
  readonly floor: ServerProcess
  readonly muster: ServerProcess
  stop(): Promise<void>
}

/** Starts the floor on what it has of a store. With TLS it borrows the certificate that Muster made. */
export function startFloor(store: FilledStore, tls: boolean): Promise<ServerProcess> {
  const certificate = join(store.dataDir, 'tls')
  return startServer('bench/src/floor.ts', [
    ...store.floorOptions,
    '--key-hash',
    hash('sha256', store.apiKey, 'hex'),
    ...(tls ? ['--cert', join(certificate, 'cert.pem'), '--key', join(certificate, 'self-signed.pem')] : []),
  ])
}

/** Starts both. */
export async function startRivals(store: FilledStore, tls: boolean): Promise<Rivals> {
  const muster = await startMuster(store, tls)
  const floor = await startFloor(store, tls)
  return {
    floor,
    muster,
    stop: async () => {
      await Promise.all([floor.stop(), muster.stop()])
    },
  }
}

/** The medians of both, and the median of the ratios floor ÷ Muster in processor time per request. */
export interface Comparison {
  readonly floor: Run
  readonly muster: Run
  readonly ratio: number
}

/** What both are asked. */
interface Loads {
  readonly floor: Load
  readonly muster: Load
}

/**
 * Loads floor and Muster in turn, A B A B …; the first round warms up and does not count.
 *
 * @param warmUp how many requests that round has, if not as many as the others
 */
export async function compare(
  rivals: Rivals,
  loads: Loads,
  rounds: number,
  warmUp = loads.muster.amount,
): Promise<Comparison> {
  await runLoad(rivals.floor, { ...loads.floor, amount: warmUp })
  await runLoad(rivals.muster, { ...loads.muster, amount: warmUp })
  const floor: Run[] = []
  const muster: Run[] = []
  for (let round = 0; round < rounds; round += 1) {
    floor.push(await runLoad(rivals.floor, loads.floor))
    muster.push(await runLoad(rivals.muster, loads.muster))
  }
  const ratios = floor.map((run, at) => run.cpuMicroseconds / (muster[at]?.cpuMicroseconds ?? 1))
  return { floor: medianRun(floor), muster: medianRun(muster), ratio: median(ratios) }
}

const medianRun = (runs: readonly Run[]): Run => ({
  requestsPerSecond: median(runs.map((run) => run.requestsPerSecond)),
  cpuMicroseconds: median(runs.map((run) => run.cpuMicroseconds)),
  p50Ms: median(runs.map((run) => run.p50Ms)),
  p99Ms: median(runs.map((run) => run.p99Ms)),
})
