import { hash } from 'node:crypto'
import { join } from 'node:path'
import type { FilledStore } from './bench-data.ts'
import { type Load, type Run, runLoad } from './load.ts'
import { type ServerProcess, startMuster, startServer } from './server-process.ts'
import { median } from './statistics.ts'

/** The floor and Muster on the same records, both with or both without TLS. */
export interface ServerPair {
  readonly floor: ServerProcess
  readonly muster: ServerProcess
  stop(): Promise<void>
}

/** Starts the floor on its copy of a store. With TLS it uses Muster's certificate. */
export function startFloor(store: FilledStore, tls: boolean): Promise<ServerProcess> {
  const certificate = join(store.dataDir, 'tls')
  return startServer('bench/src/floor.ts', [
    ...store.floorOptions,
    '--key-hash',
    hash('sha256', store.apiKey, 'hex'),
    ...(tls ? ['--cert', join(certificate, 'cert.pem'), '--key', join(certificate, 'self-signed.pem')] : []),
  ])
}

export async function startServerPair(store: FilledStore, tls: boolean): Promise<ServerPair> {
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

/** Medians of both servers, and the median ratio floor ÷ Muster of CPU time per request. */
export interface Comparison {
  readonly floor: Run
  readonly muster: Run
  readonly ratio: number
}

interface Loads {
  readonly floor: Load
  readonly muster: Load
}

/**
 * Loads the floor and Muster in turn, A B A B …. The first round is a warm-up and is not counted.
 *
 * @param warmUp number of requests in the warm-up
 */
export async function compare(
  servers: ServerPair,
  loads: Loads,
  rounds: number,
  warmUp = loads.muster.amount,
): Promise<Comparison> {
  await runLoad(servers.floor, { ...loads.floor, amount: warmUp })
  await runLoad(servers.muster, { ...loads.muster, amount: warmUp })
  const floor: Run[] = []
  const muster: Run[] = []
  for (let round = 0; round < rounds; round += 1) {
    floor.push(await runLoad(servers.floor, loads.floor))
    muster.push(await runLoad(servers.muster, loads.muster))
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
