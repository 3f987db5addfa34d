import { availableParallelism } from 'node:os'
import { limitCpu } from '../cpu-quota.ts'
import type { Line } from '../report.ts'
import type { ServerProcess } from '../server-process.ts'
import { median } from '../statistics.ts'
import {
  loadAll,
  medianRun,
  pathsOf,
  type SharedRun,
  type SharedSetting,
  startSeveral,
  stopAll,
  type Workload,
} from './shared-load.ts'

/**
 * CPU limit of each process: low enough that three processes, the database, Redis and the load generator leave some of two
 * cores idle.
 */
const limitedCores = 0.2
const limitedCount = 3
/** Requests per process and round: about two seconds, limited or not. */
const limitedAmounts: Readonly<Record<Workload, number>> = { list: 800, 'by id': 2400 }
const unlimitedAmounts: Readonly<Record<Workload, number>> = { list: 2000, 'by id': 6000 }
/** Requests per process before it is limited, so the limit does not include the cost of compilation. */
const warmUpAmounts: Readonly<Record<Workload, number>> = { list: 6000, 'by id': 18000 }

/** Runs with one process, two processes, and so on. */
type Round = readonly SharedRun[]

/**
 * Line 12: scaling over one, two and three processes on one PostgreSQL and one Redis. Each process is limited to the same
 * share of a core, so the machine is never saturated. If throughput does not grow with the processes, the cause is then in the
 * software: a lock, or the database. Where processes cannot be limited, one and two processes are compared, and they scale less
 * than on a machine with free cores. The CPU time per request must not increase in either case.
 */
export async function severalProcesses(setting: SharedSetting, workload: Workload): Promise<Line> {
  const servers = await startSeveral(setting, limitedCount)
  let releases: (() => void)[] = []
  try {
    const [first] = servers
    if (first === undefined) throw new Error('no process was started')
    const paths = await pathsOf(first, setting.store, workload)
    await loadAll(servers, setting, paths, warmUpAmounts[workload])
    releases = limitAll(servers)
    const isLimited = releases.length === limitedCount
    const amount = (isLimited ? limitedAmounts : unlimitedAmounts)[workload]
    const rounds: Round[] = []
    for (let round = 0; round < setting.rounds; round += 1) {
      // The processes take turns at running alone, so all of them are equally warm.
      const rotated = servers.map((_server, at) => servers[(at + round) % servers.length] ?? first)
      const runs: SharedRun[] = []
      for (let count = 1; count <= (isLimited ? limitedCount : 2); count += 1)
        runs.push(await loadAll(rotated.slice(0, count), setting, paths, amount))
      rounds.push(runs)
    }
    return isLimited ? limitedLine(workload, rounds) : unlimitedLine(workload, rounds)
  } finally {
    await stopAll(servers)
    for (const release of releases) release()
  }
}

/** Limits the servers, up to the first that cannot be limited. @returns functions that remove their groups */
function limitAll(servers: readonly ServerProcess[]): (() => void)[] {
  const releases: (() => void)[] = []
  for (const { pid } of servers) {
    const release = limitCpu(pid, limitedCores)
    if (release === undefined) break
    releases.push(release)
  }
  return releases
}

/** Returns the median ratio of the throughput of `count` processes to that of one. */
const growthOf = (rounds: readonly Round[], count: number): number =>
  median(rounds.map((runs) => (runs[count - 1]?.requestsPerSecond ?? 0) / (runs[0]?.requestsPerSecond ?? 1)))

const mediansOf = (rounds: readonly Round[]): SharedRun[] =>
  (rounds[0] ?? []).map((_run, at) => medianRun(rounds.flatMap((runs) => runs[at] ?? [])))

const described = ({ requestsPerSecond, muster, postgres, redis, load }: SharedRun, at: number) =>
  `${at + 1}: ${requestsPerSecond.toFixed(0)}/s at ${[muster, postgres, redis, load].map((cpu) => cpu.toFixed(0)).join(' + ')} µs`

const legend = 'CPU per request of Muster + PostgreSQL + Redis + load generator'

/** A round with less idle time counts as saturated, and says nothing about scaling. */
const idleMinimum = 0.25

function limitedLine(workload: Workload, rounds: readonly Round[]): Line {
  const unsaturated = rounds.filter((runs) => runs.every(({ idle }) => idle >= idleMinimum))
  const counted = unsaturated.length > 0 ? unsaturated : rounds
  const medians = mediansOf(counted)
  const [two, three] = [growthOf(counted, 2), growthOf(counted, 3)]
  const idle = ((medians.at(-1)?.idle ?? 0) * 100).toFixed(0)
  const left = `${idle} % of ${availableParallelism()} cores idle with 3, ${unsaturated.length} of ${rounds.length} rounds not saturated`
  return {
    number: 12,
    workload: `3 and 2 processes ÷ 1, ${workload}, PostgreSQL`,
    target: '≥ 2.6 and ≥ 1.75 × requests/s',
    measured: `${three.toFixed(2)} and ${two.toFixed(2)}, each limited to ${limitedCores} of a core  (${medians.map(described).join('; ')}: ${legend}; ${left})`,
    met: unsaturated.length === 0 ? undefined : three >= 2.6 && two >= 1.75,
    figures: { rounds, growth: { two, three }, limitedCores, cores: availableParallelism() },
  }
}

function unlimitedLine(workload: Workload, rounds: readonly Round[]): Line {
  const medians = mediansOf(rounds)
  const growth = growthOf(rounds, 2)
  const cores = availableParallelism()
  // Two processes, the database and the load generator need a core each.
  const enough = cores >= 4
  return {
    number: 12,
    workload: `2 processes ÷ 1, ${workload}, PostgreSQL`,
    target: enough ? '≥ 1.6 × requests/s' : 'none (needs 4 cores)',
    measured: `${growth.toFixed(2)}  (${medians.map(described).join('; ')}: ${legend}, all on ${cores} cores)`,
    met: enough ? growth >= 1.6 : undefined,
    figures: { medians, growth, cores },
  }
}
