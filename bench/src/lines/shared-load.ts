import { getPage, tokensOf } from '../api-client.ts'
import type { FilledStore } from '../bench-data.ts'
import { runLoad } from '../load.ts'
import type { PostgresProcess } from '../postgres-process.ts'
import { cpuSecondsOf, cpuSecondsWithChildrenOf, machineSeconds } from '../process-figures.ts'
import type { RedisProcess } from '../redis-process.ts'
import { type ServerProcess, startMuster } from '../server-process.ts'
import { median } from '../statistics.ts'

export interface SharedSetting {
  readonly store: FilledStore
  readonly server: PostgresProcess
  readonly redis: RedisProcess
  readonly rounds: number
}

export type Workload = 'list' | 'by id'

/** Result of a load: throughput, and CPU microseconds per request by program. */
export interface SharedRun {
  readonly requestsPerSecond: number
  readonly muster: number
  readonly postgres: number
  readonly redis: number
  readonly load: number
  /** Idle share of all cores. */
  readonly idle: number
}

/** Connections per process. */
const connections = 8
const extensions = '/v1/browserExtensions'

/** Starts several processes on one PostgreSQL and one Redis. */
export const startSeveral = ({ store, redis }: SharedSetting, count: number, settings = {}) =>
  Promise.all(
    Array.from({ length: count }, () =>
      startMuster(store, false, [], { MUSTER_REDIS_URL: redis.url, ...settings }),
    ),
  )

/** Stops all servers. */
export const stopAll = (servers: readonly ServerProcess[]) =>
  Promise.all(servers.map((server) => server.stop()))

/** Returns the paths of a workload. */
export async function pathsOf({ address }: ServerProcess, { apiKey }: FilledStore, workload: Workload) {
  const resource = workload === 'list' ? extensions : '/v1/accounts'
  const page = (token: string) => `${resource}?limit=1000&nextToken=${token}`
  const tokens = await tokensOf(address, apiKey, page, 100)
  if (workload === 'list') return tokens.slice(0, -1).map((token) => `${extensions}?nextToken=${token}`)
  const pages = await Promise.all(tokens.slice(0, 5).map((token) => getPage(address, apiKey, page(token))))
  return pages.flatMap((records) => records['the service'].map(({ id }) => `${resource}/${String(id)}`))
}

/** Loads all servers at the same time, with the same number of requests each. */
export async function loadAll(
  servers: readonly ServerProcess[],
  { store, server, redis }: SharedSetting,
  paths: readonly string[],
  amountEach: number,
): Promise<SharedRun> {
  const seconds = () => ({
    muster: servers.reduce((sum, { pid }) => sum + cpuSecondsOf(pid), 0),
    postgres: cpuSecondsWithChildrenOf(server.pid),
    redis: cpuSecondsOf(redis.pid),
    load: cpuSecondsOf(process.pid),
    ...machineSeconds(),
  })
  const before = seconds()
  const beganMs = performance.now()
  const load = { paths, apiKey: store.apiKey, connections, amount: amountEach }
  await Promise.all(servers.map((each) => runLoad(each, load)))
  const elapsedSeconds = (performance.now() - beganMs) / 1000
  const after = seconds()
  const amount = amountEach * servers.length
  const used = (program: keyof typeof before) => after[program] - before[program]
  const perRequest = (program: keyof typeof before) => (used(program) / amount) * 1e6
  return {
    requestsPerSecond: amount / elapsedSeconds,
    muster: perRequest('muster'),
    postgres: perRequest('postgres'),
    redis: perRequest('redis'),
    load: perRequest('load'),
    idle: used('idle') / used('all'),
  }
}

/** Returns the medians of several runs. */
export function medianRun(runs: readonly SharedRun[]): SharedRun {
  const of = (name: keyof SharedRun) => median(runs.map((run) => run[name]))
  return {
    requestsPerSecond: of('requestsPerSecond'),
    muster: of('muster'),
    postgres: of('postgres'),
    redis: of('redis'),
    load: of('load'),
    idle: of('idle'),
  }
}
