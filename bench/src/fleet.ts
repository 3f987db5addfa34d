/**
 * Generates load: a fleet of simulated browsers that report to a running server.
 *
 *   node bench/src/fleet.ts --server https://localhost:8443 --token met_… [--browsers 200] [--hours 24] [--speed 600]
 *                           [--connections 8] [--batch 200] [--seed 1] [--busy]
 *
 * The browsers enroll with a managed token (`muster enrollment-tokens create`) and replay the last working hours before today,
 * --speed times as fast as real time. With --speed 0 they send as fast as the server accepts, in batches of --batch events.
 * Their people are added to the organization, so use a test organization. The server's certificate is not checked.
 */
import { parseArgs } from 'node:util'
import type { AgentEvent } from '@muster/contract/agent/agent-event'
import { inBatches } from '../../server/src/modules/demo/workforce/workforce.ts'
import {
  busyDays,
  type FleetBrowser,
  fleetBrowsers,
  fleetEvents,
  lastWorkingMidnight,
  usualDays,
} from './fleet-browsers.ts'
import {
  type FleetConnection,
  type FleetCredential,
  fleetConnection,
  packedBatch,
} from './fleet-connection.ts'
import { percentile } from './statistics.ts'

const { values } = parseArgs({
  options: {
    server: { type: 'string' },
    token: { type: 'string' },
    browsers: { type: 'string', default: '200' },
    hours: { type: 'string', default: '24' },
    speed: { type: 'string', default: '600' },
    connections: { type: 'string', default: '8' },
    batch: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    busy: { type: 'boolean', default: false },
  },
})
const { server, token } = values
if (server === undefined || token === undefined) {
  console.error('Missing options: --server (address of the server) and --token (a managed enrollment token).')
  process.exit(2)
}
const hours = Number(values.hours)
const speed = Number(values.speed)
const days = Math.ceil(hours / 24)
const untilSeconds = lastWorkingMidnight(Date.now() / 1000)
const fromSeconds = untilSeconds - hours * 3600

/** Agents send their events with each heartbeat. */
const heartbeatSeconds = 300

interface ScheduledBatch {
  readonly atSeconds: number
  readonly credential: string
  readonly events: readonly AgentEvent[]
}

const connections = await Promise.all(
  Array.from({ length: Number(values.connections) }, () => fleetConnection(server)),
)
const browsers = fleetBrowsers({
  browsers: Number(values.browsers),
  days,
  untilSeconds,
  seed: Number(values.seed),
  kind: values.busy ? busyDays : usualDays,
})

/** Distributes the items over all connections. */
async function distribute<T>(
  items: readonly T[],
  work: (connection: FleetConnection, item: T) => Promise<void>,
): Promise<void> {
  let next = 0
  await Promise.all(
    connections.map(async (connection) => {
      for (let item = items[next++]; item !== undefined; item = items[next++]) await work(connection, item)
    }),
  )
}

const credentials = new Map<FleetBrowser, FleetCredential>()
await distribute(browsers, async (connection, browser) => {
  credentials.set(browser, await connection.enroll(token, browser))
})
console.log(`Enrolled ${credentials.size} browsers`)

const schedule = [...credentials]
  .flatMap(([browser, { credential, policy }]): ScheduledBatch[] => {
    const events = fleetEvents(browser, days, policy, fromSeconds)
    const quietSeconds = speed === 0 ? Number.POSITIVE_INFINITY : heartbeatSeconds - 1
    return inBatches(events, quietSeconds, Number(values.batch)).map((batch) => ({
      atSeconds: batch.at(-1)?.timestamp ?? 0,
      credential,
      events: batch,
    }))
  })
  .sort((one, other) => one.atSeconds - other.atSeconds)

const beganMs = performance.now()
const times: number[] = []
let events = 0
await distribute(schedule, async (connection, { atSeconds, credential, events: batch }) => {
  const dueMs = speed === 0 ? 0 : ((atSeconds - fromSeconds) * 1000) / speed
  const aheadMs = dueMs - (performance.now() - beganMs)
  if (aheadMs > 0) await new Promise((resolve) => setTimeout(resolve, aheadMs))
  const { ms } = await connection.send(credential, packedBatch(batch))
  times.push(ms)
  events += batch.length
})
for (const connection of connections) connection.close()
const seconds = (performance.now() - beganMs) / 1000
const sorted = Float64Array.from(times).sort()
const at = (part: number) => `${percentile(sorted, part).toFixed(1)} ms`
console.log(
  `${events} events in ${times.length} batches within ${seconds.toFixed(1)} s: ${(events / seconds).toFixed(0)} events/s; a batch p50 ${at(0.5)}, p99 ${at(0.99)}`,
)
