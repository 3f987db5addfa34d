import { daySeconds } from '../../../server/src/modules/demo/workforce/company.ts'
import { inBatches } from '../../../server/src/modules/demo/workforce/workforce.ts'
import type { FilledStore } from '../bench-data.ts'
import {
  busyDays,
  type FleetDays,
  fleetBrowsers,
  fleetEvents,
  lastWorkingMidnight,
  usualDays,
} from '../fleet-browsers.ts'
import { type FleetConnection, fleetConnection, packedBatch } from '../fleet-connection.ts'
import { openConnection, requestBytes } from '../http-connection.ts'
import { cpuSecondsOf, cpuSecondsWithChildrenOf } from '../process-figures.ts'
import type { Line } from '../report.ts'
import { runMuster, type ServerProcess, startMuster } from '../server-process.ts'
import { median, percentile } from '../statistics.ts'

export interface IngestSetting {
  readonly store: FilledStore
  /** Process ID of the database server; undefined on SQLite. */
  readonly databasePid: number | undefined
  readonly quick: boolean
}

const eventsPerBatch = 200
const targetPerCpuSecond = 5000

interface Batch {
  readonly credential: string
  readonly packed: Buffer
  readonly events: number
}

/** Line 7: durable ingest of batches of 200 events, with all their effects, and page reads during ingest. */
export async function ingest(setting: IngestSetting): Promise<Line[]> {
  const output = await runMuster(setting.store, ['enrollment-tokens', 'create', '--name', 'bench', '--json'])
  const { token } = JSON.parse(output) as { token: string }
  const muster = await startMuster(setting.store, false)
  const connections = await Promise.all(Array.from({ length: 4 }, () => fleetConnection(muster.address)))
  try {
    const context = { setting, muster, connections, token }
    const busy = await measureRate(context, 'a third logins', busyDays, { browsers: 60, days: 85, seed: 1 })
    const usual = await measureRate(context, 'usual days', usualDays, { browsers: 30, days: 20, seed: 2 })
    return [busy, usual, await pagesDuringIngest(context)]
  } finally {
    for (const connection of connections) connection.close()
    await muster.stop()
  }
}

interface Context {
  readonly setting: IngestSetting
  readonly muster: ServerProcess
  readonly connections: readonly FleetConnection[]
  readonly token: string
}

interface Fleet {
  readonly browsers: number
  readonly days: number
  readonly seed: number
}

/** Enrolls a fleet and packs its events. The oldest batches of all browsers come first. */
async function batchesOf(context: Context, kind: FleetDays, fleet: Fleet): Promise<Batch[]> {
  const { connections, token, setting } = context
  const [connection] = connections
  const untilSeconds = lastWorkingMidnight(Date.now() / 1000)
  const browsers = fleetBrowsers({
    ...fleet,
    browsers: setting.quick ? Math.ceil(fleet.browsers / 2) : fleet.browsers,
    untilSeconds,
    kind,
  })
  const lists: Batch[][] = []
  for (const browser of browsers) {
    if (!connection) break
    const { credential, policy } = await connection.enroll(token, browser)
    const events = fleetEvents(browser, fleet.days, policy, untilSeconds - fleet.days * daySeconds)
    lists.push(
      inBatches(events, Number.POSITIVE_INFINITY, eventsPerBatch).map((batch) => ({
        credential,
        packed: packedBatch(batch),
        events: batch.length,
      })),
    )
  }
  const longest = Math.max(...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat()
}

/** Sends batches over all connections. Returns the sorted response times. */
async function sendAll(
  connections: readonly FleetConnection[],
  batches: readonly Batch[],
): Promise<number[]> {
  const times: number[] = []
  let next = 0
  await Promise.all(
    connections.map(async (connection) => {
      for (let batch = batches[next++]; batch; batch = batches[next++])
        times.push((await connection.send(batch.credential, batch.packed)).ms)
    }),
  )
  return times.sort((one, other) => one - other)
}

async function measureRate(context: Context, name: string, kind: FleetDays, fleet: Fleet): Promise<Line> {
  const { muster, connections, setting } = context
  const batches = await batchesOf(context, kind, fleet)
  const warmUp = Math.ceil(batches.length / 5)
  await sendAll(connections, batches.slice(0, warmUp))
  const measured = batches.slice(warmUp)
  const events = measured.reduce((sum, batch) => sum + batch.events, 0)
  const { databasePid } = setting
  const databaseSeconds = () => (databasePid === undefined ? 0 : cpuSecondsWithChildrenOf(databasePid))
  const before = { cpu: cpuSecondsOf(muster.pid), database: databaseSeconds(), ms: performance.now() }
  const times = await sendAll(connections, measured)
  const cpuSeconds = cpuSecondsOf(muster.pid) - before.cpu
  const databaseCpuSeconds = databaseSeconds() - before.database
  const seconds = (performance.now() - before.ms) / 1000
  const perCpuSecond = events / cpuSeconds
  const database =
    databasePid === undefined
      ? ''
      : `, the database's ${((databaseCpuSeconds / events) * 1e6).toFixed(0)} µs per event`
  return {
    number: 7,
    workload: `ingest, ${eventsPerBatch} per batch, ${name}, ${setting.store.name}`,
    target: '≥ 5,000 events per CPU-second',
    measured: `${perCpuSecond.toFixed(0)} events per CPU-second  (${events} events in ${measured.length} batches, ${(events / seconds).toFixed(0)}/s, batch p50 ${percentile(times, 0.5).toFixed(0)} p99 ${percentile(times, 0.99).toFixed(0)} ms${database})`,
    met: perCpuSecond >= targetPerCpuSecond,
    figures: { events, batches: measured.length, cpuSeconds, databaseCpuSeconds, seconds },
  }
}

const pagesEveryMs = 5
const batchesEveryMs = 100

const pageRounds = 7

/** Measures the p99 of page reads at a steady rate, alternately without and with ingest at a steady rate. */
async function pagesDuringIngest(context: Context): Promise<Line> {
  const { setting, connections } = context
  const batches = await batchesOf(context, busyDays, { browsers: 110, days: 20, seed: 3 })
  const perRound = Math.floor(batches.length / pageRounds)
  const pages = Math.ceil((perRound * batchesEveryMs) / pagesEveryMs)
  await readPages(context, pages)
  const rounds: { idle: number; busy: number }[] = []
  for (let round = 0; round < pageRounds; round += 1) {
    const idle = await readPages(context, pages)
    const sending = sendSteadily(connections, batches.slice(round * perRound, (round + 1) * perRound))
    const busy = await readPages(context, pages)
    await sending
    rounds.push({ idle: percentile(idle, 0.99), busy: percentile(busy, 0.99) })
  }
  // The median ratio is robust against other load on the machine, which affects single rounds.
  const ratio = median(rounds.map(({ idle, busy }) => busy / idle))
  const ms = (of: 'idle' | 'busy') => `${median(rounds.map((round) => round[of])).toFixed(1)} ms`
  return {
    number: 7,
    workload: `page during ${(eventsPerBatch * 1000) / batchesEveryMs} events/s, ${setting.store.name}`,
    target: 'p99 ≤ 2 × idle',
    measured: `${ratio.toFixed(2)} ×  (p99 idle ${ms('idle')}, busy ${ms('busy')}; medians of ${pageRounds} rounds of ${pages} pages)`,
    met: ratio <= 2,
    figures: rounds,
  }
}

/** Reads a page every few milliseconds. Returns the sorted response times. */
async function readPages({ muster, setting }: Context, amount: number): Promise<number[]> {
  const connections = await Promise.all(Array.from({ length: 8 }, () => openConnection(muster.address)))
  const request = requestBytes('GET', '/v1/employees?limit=100', setting.store.apiKey)
  const beganMs = performance.now()
  const times: number[] = []
  let next = 0
  await Promise.all(
    connections.map(async (connection) => {
      for (let at = next++; at < amount; at = next++) {
        const dueMs = beganMs + at * pagesEveryMs
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())))
        times.push((await connection.ask(request)).ms)
      }
    }),
  )
  for (const connection of connections) connection.close()
  return times.sort((one, other) => one - other)
}

async function sendSteadily(
  connections: readonly FleetConnection[],
  batches: readonly Batch[],
): Promise<void> {
  const beganMs = performance.now()
  let next = 0
  await Promise.all(
    connections.map(async (connection) => {
      for (let at = next++; at < batches.length; at = next++) {
        const batch = batches[at]
        const dueMs = beganMs + at * batchesEveryMs
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())))
        if (batch) await connection.send(batch.credential, batch.packed)
      }
    }),
  )
}
