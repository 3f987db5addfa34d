import { availableParallelism } from 'node:os'
import { holdCpu } from '../cpu-quota.ts'
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
 * The part of a core that each process is held to: so little that three of them, the database, Redis and the load
 * generator leave some of two cores idle.
 */
const heldCores = 0.2
const heldCount = 3
/** Requests of one process in one round: about two seconds, held or not. */
const heldAmounts: Readonly<Record<Workload, number>> = { list: 800, 'by id': 2400 }
const freeAmounts: Readonly<Record<Workload, number>> = { list: 2000, 'by id': 6000 }
/** Requests of each process before it is held: what it costs to compile would be taken from its part. */
const warmUpAmounts: Readonly<Record<Workload, number>> = { list: 6000, 'by id': 18000 }

/** Runs with one process, with two, and so on. */
type Round = readonly SharedRun[]

/**
 * Line 12: one process, two and three on one PostgreSQL and one Redis, in turn. Each is held to the same part of a core,
 * as if every process brought that much with it. So the machine does not run full, and what keeps the requests from
 * growing with the processes would be the software: a lock, or the database. Where processes cannot be held, it is one
 * and two of them, and the growth is less than that of a machine with cores to spare; what holds there as well is the
 * processor time per request, which must not rise with the number of processes.
 */
export async function severalProcesses(setting: SharedSetting, workload: Workload): Promise<Line> {
  const servers = await startSeveral(setting, heldCount)
  let releases: (() => void)[] = []
  try {
    const [first] = servers
    if (first === undefined) throw new Error('no process was started')
    const paths = await pathsOf(first, setting.store, workload)
    await loadAll(servers, setting, paths, warmUpAmounts[workload])
    releases = holdAll(servers)
    const isHeld = releases.length === heldCount
    const amount = (isHeld ? heldAmounts : freeAmounts)[workload]
    const rounds: Round[] = []
    for (let round = 0; round < setting.rounds; round += 1) {
      // Each has its turn at being alone, so that none is better warmed up than the others.
      const turned = servers.map((_server, at) => servers[(at + round) % servers.length] ?? first)
      const runs: SharedRun[] = []
      for (let count = 1; count <= (isHeld ? heldCount : 2); count += 1)
        runs.push(await loadAll(turned.slice(0, count), setting, paths, amount))
      rounds.push(runs)
    }
    return isHeld ? heldLine(workload, rounds) : freeLine(workload, rounds)
  } finally {
    await stopAll(servers)
    for (const release of releases) release()
  }
}

/** Holds all servers, or those before the first that cannot be. @returns what removes their groups */
function holdAll(servers: readonly ServerProcess[]): (() => void)[] {
  const releases: (() => void)[] = []
  for (const { pid } of servers) {
    const release = holdCpu(pid, heldCores)
    if (release === undefined) break
    releases.push(release)
  }
  return releases
}

/** What many processes come to, as a multiple of one: in each round, and of those the median. */
const growthOf = (rounds: readonly Round[], count: number): number =>
  median(rounds.map((runs) => (runs[count - 1]?.requestsPerSecond ?? 0) / (runs[0]?.requestsPerSecond ?? 1)))

const mediansOf = (rounds: readonly Round[]): SharedRun[] =>
  (rounds[0] ?? []).map((_run, at) => medianRun(rounds.flatMap((runs) => runs[at] ?? [])))

const described = ({ requestsPerSecond, muster, postgres, redis, load }: SharedRun, at: number) =>
  `${at + 1}: ${requestsPerSecond.toFixed(0)}/s at ${[muster, postgres, redis, load].map((cpu) => cpu.toFixed(0)).join(' + ')} µs`

const legend = 'CPU a request of Muster + PostgreSQL + Redis + load generator'

/** A machine of which less is idle is full: what does not grow there says nothing. */
const idleMinimum = 0.25

function heldLine(workload: Workload, rounds: readonly Round[]): Line {
  const roomy = rounds.filter((runs) => runs.every(({ idle }) => idle >= idleMinimum))
  const counted = roomy.length > 0 ? roomy : rounds
  const medians = mediansOf(counted)
  const [two, three] = [growthOf(counted, 2), growthOf(counted, 3)]
  const idle = ((medians.at(-1)?.idle ?? 0) * 100).toFixed(0)
  const left = `${idle} % of ${availableParallelism()} cores idle with 3, ${roomy.length} of ${rounds.length} rounds not full`
  return {
    number: 12,
    workload: `3 and 2 processes ÷ 1, ${workload}, PostgreSQL`,
    target: '≥ 2.6 and ≥ 1.75 × requests/s',
    measured: `${three.toFixed(2)} and ${two.toFixed(2)}, each held to ${heldCores} of a core  (${medians.map(described).join('; ')}: ${legend}; ${left})`,
    met: roomy.length === 0 ? undefined : three >= 2.6 && two >= 1.75,
    figures: { rounds, growth: { two, three }, heldCores, cores: availableParallelism() },
  }
}

function freeLine(workload: Workload, rounds: readonly Round[]): Line {
  const medians = mediansOf(rounds)
  const growth = growthOf(rounds, 2)
  const cores = availableParallelism()
  // Two processes, the database and the load generator need a core each before nothing is in the way of growth.
  const enough = cores >= 4
  return {
    number: 12,
    workload: `2 processes ÷ 1, ${workload}, PostgreSQL`,
    target: enough ? '≥ 1.6 × requests/s' : 'grows with cores (4 needed to tell)',
    measured: `${growth.toFixed(2)}  (${medians.map(described).join('; ')}: ${legend}, all on ${cores} cores)`,
    met: enough ? growth >= 1.6 : undefined,
    figures: { medians, growth, cores },
  }
}
