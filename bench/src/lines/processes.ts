import { availableParallelism } from 'node:os'
import { getPage, tokensOf } from '../api-client.ts'
import type { FilledStore } from '../bench-data.ts'
import { openConnection, requestBytes } from '../http-connection.ts'
import { runLoad } from '../load.ts'
import type { PostgresProcess } from '../postgres-process.ts'
import { cpuSecondsOf, cpuSecondsWithChildrenOf } from '../process-figures.ts'
import type { RedisProcess } from '../redis-process.ts'
import type { Line } from '../report.ts'
import { type ServerProcess, startMuster } from '../server-process.ts'
import { median } from '../statistics.ts'

/** What the processes of line 12 share. */
export interface SharedSetting {
  readonly store: FilledStore
  readonly server: PostgresProcess
  readonly redis: RedisProcess
  readonly rounds: number
}

type Workload = 'list' | 'by id'

/** Microseconds of processor time per request, by who used them, and how many requests a second came of it. */
interface SharedRun {
  readonly requestsPerSecond: number
  readonly muster: number
  readonly postgres: number
  readonly redis: number
  readonly load: number
}

const connections = 16
const amounts: Readonly<Record<Workload, number>> = { list: 2000, 'by id': 6000 }
const extensions = '/v1/browserExtensions'

const startSeveral = ({ store, redis }: SharedSetting, count: number, settings = {}) =>
  Promise.all(
    Array.from({ length: count }, () =>
      startMuster(store, false, [], { MUSTER_REDIS_URL: redis.url, ...settings }),
    ),
  )

const stopAll = (servers: readonly ServerProcess[]) => Promise.all(servers.map((server) => server.stop()))

async function pathsOf({ address }: ServerProcess, { apiKey }: FilledStore, workload: Workload) {
  const resource = workload === 'list' ? extensions : '/v1/accounts'
  const page = (token: string) => `${resource}?limit=1000&nextToken=${token}`
  const tokens = await tokensOf(address, apiKey, page, 100)
  if (workload === 'list') return tokens.slice(0, -1).map((token) => `${extensions}?nextToken=${token}`)
  const pages = await Promise.all(tokens.slice(0, 5).map((token) => getPage(address, apiKey, page(token))))
  return pages.flatMap((records) => records['the service'].map(({ id }) => `${resource}/${String(id)}`))
}

/** The same load, divided evenly among the servers. */
async function loadAll(
  servers: readonly ServerProcess[],
  { store, server, redis }: SharedSetting,
  paths: readonly string[],
  amount: number,
): Promise<SharedRun> {
  const seconds = () => ({
    muster: servers.reduce((sum, { pid }) => sum + cpuSecondsOf(pid), 0),
    postgres: cpuSecondsWithChildrenOf(server.pid),
    redis: cpuSecondsOf(redis.pid),
    load: cpuSecondsOf(process.pid),
  })
  const share = {
    paths,
    apiKey: store.apiKey,
    connections: connections / servers.length,
    amount: amount / servers.length,
  }
  const before = seconds()
  const beganMs = performance.now()
  await Promise.all(servers.map((each) => runLoad(each, share)))
  const passedSeconds = (performance.now() - beganMs) / 1000
  const after = seconds()
  const perRequest = (who: keyof typeof before) => ((after[who] - before[who]) / amount) * 1e6
  return {
    requestsPerSecond: amount / passedSeconds,
    muster: perRequest('muster'),
    postgres: perRequest('postgres'),
    redis: perRequest('redis'),
    load: perRequest('load'),
  }
}

function medianRun(runs: readonly SharedRun[]): SharedRun {
  const of = (name: keyof SharedRun) => median(runs.map((run) => run[name]))
  return {
    requestsPerSecond: of('requestsPerSecond'),
    muster: of('muster'),
    postgres: of('postgres'),
    redis: of('redis'),
    load: of('load'),
  }
}

/**
 * Line 12: one process and two on one PostgreSQL and one Redis, in turn. The load generator and the database run on the
 * same cores, so the growth seen here is less than that of a machine with cores to spare; what holds there as well is
 * the processor time per request, which must not rise with the number of processes.
 */
export async function severalProcesses(setting: SharedSetting, workload: Workload): Promise<Line> {
  const both = await startSeveral(setting, 2)
  try {
    const [first] = both
    if (first === undefined) throw new Error('no process was started')
    const paths = await pathsOf(first, setting.store, workload)
    const runs: { one: SharedRun; two: SharedRun }[] = []
    for (let round = 0; round <= setting.rounds; round += 1) {
      const one = await loadAll([first], setting, paths, amounts[workload])
      const two = await loadAll(both, setting, paths, amounts[workload])
      // The first round warms up.
      if (round > 0) runs.push({ one, two })
    }
    return growthLine(workload, runs)
  } finally {
    await stopAll(both)
  }
}

const described = (name: string, { requestsPerSecond, muster, postgres, redis, load }: SharedRun) =>
  `${name} ${requestsPerSecond.toFixed(0)}/s at ${[muster, postgres, redis, load].map((cpu) => cpu.toFixed(0)).join(' + ')} µs`

function growthLine(workload: Workload, runs: readonly { one: SharedRun; two: SharedRun }[]): Line {
  const one = medianRun(runs.map((run) => run.one))
  const two = medianRun(runs.map((run) => run.two))
  const growth = median(runs.map((run) => run.two.requestsPerSecond / run.one.requestsPerSecond))
  const cores = availableParallelism()
  // Two processes, the database and the load generator need a core each before nothing is in the way of growth.
  const enough = cores >= 4
  const note = `CPU a request of Muster + PostgreSQL + Redis + load generator, all on ${cores} cores`
  return {
    number: 12,
    workload: `2 processes ÷ 1, ${workload}, PostgreSQL`,
    target: enough ? '≥ 1.6 × requests/s' : 'grows with cores (4 needed to tell)',
    measured: `${growth.toFixed(2)}  (${described('1:', one)}; ${described('2:', two)}: ${note})`,
    met: enough ? growth >= 1.6 : undefined,
    figures: { one, two, growth, cores },
  }
}

const sustained = 10
const burst = 10
const pressureMs = 3000

/** How many requests a holder may make in a time that begins with the first of them. */
const allowedIn = (ms: number) => sustained + burst + (sustained * ms) / 1000

/** Line 12: the requests of one holder who presses two processes for some seconds are limited as if there were one. */
export async function exactLimit(setting: SharedSetting): Promise<Line> {
  const limit = { MUSTER_RATE_LIMIT_SUSTAINED: String(sustained), MUSTER_RATE_LIMIT_BURST: String(burst) }
  const servers = await startSeveral(setting, 2, limit)
  try {
    const { granted, refused, leastMs, mostMs } = await press(servers, setting.store.apiKey)
    // Redis counts in whole milliseconds.
    const least = Math.floor(allowedIn(leastMs - 1))
    const most = Math.floor(allowedIn(mostMs + 1))
    return {
      number: 12,
      workload: 'one holder over 2 processes, with Redis',
      target: `${sustained + burst} + ${sustained}/s exactly`,
      measured: `${granted} granted in ${(mostMs / 1000).toFixed(2)} s (${least} to ${most} are right), ${refused} refused`,
      met: granted >= least && granted <= most,
      figures: { granted, refused, least, most, leastMs, mostMs },
    }
  } finally {
    await stopAll(servers)
  }
}

/**
 * Asks both servers without a pause. When Redis counted the first and the last request is known within limits: the time
 * between was at most that from the first question to the last answer, at least that from the first answer to the last
 * question.
 */
async function press(servers: readonly ServerProcess[], apiKey: string) {
  const opened = await Promise.all(servers.map(({ address }) => openConnection(address)))
  const request = requestBytes('GET', `${extensions}?limit=1`, apiKey)
  const seen = { granted: 0, refused: 0 }
  const beganMs = performance.now()
  const moments = { firstAnswerMs: Number.POSITIVE_INFINITY, lastQuestionMs: beganMs }
  await Promise.all(
    opened.map(async (connection) => {
      for (let askedMs = beganMs; askedMs - beganMs < pressureMs; askedMs = performance.now()) {
        moments.lastQuestionMs = askedMs
        const { status } = await connection.ask(request)
        if (status !== 200 && status !== 429) throw new Error(`a limited request was answered with ${status}`)
        moments.firstAnswerMs = Math.min(moments.firstAnswerMs, performance.now())
        seen[status === 200 ? 'granted' : 'refused'] += 1
      }
    }),
  )
  const mostMs = performance.now() - beganMs
  for (const connection of opened) connection.close()
  return { ...seen, mostMs, leastMs: moments.lastQuestionMs - moments.firstAnswerMs }
}
