/**
 * Soak test of a real server: many valid and unusual requests to `/v1`, `/agent/v1` and `/console/api`, while webhooks have
 * unresolvable names. Fails if a response is a 5xx, a request hangs, or the server exceeds its memory limit or does not end
 * in time.
 *
 *   npm run soak -- [--requests 100000] [--seconds 120] [--connections 16] [--database-url postgres://…]
 *                   [--node-options=--heapsnapshot-signal=SIGUSR2]
 *
 * `--seconds` limits the duration regardless of the number of requests. `--node-options` apply to the server.
 */
import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { residentMebibytesOf } from '../../bench/src/process-figures.ts'
import { startMuster } from '../support/muster-process.ts'
import { hangMs, type SoakAnswer, type SoakRequest, soakClient } from './soak-client.ts'
import { soakRequests } from './soak-requests.ts'
import { soakWorld } from './soak-world.ts'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '0' },
    connections: { type: 'string', default: '16' },
    'database-url': { type: 'string' },
    'node-options': { type: 'string', default: '' },
  },
})
const requests = Number(values.requests)
const seconds = Number(values.seconds) || Number.POSITIVE_INFINITY
const connections = Number(values.connections)

const residentMaximumMebibytes = 256
const stopWithinMs = 10_000
const sampledEveryMs = 250
const reportedEveryMs = 10_000

const world = await soakWorld(values['database-url'])
const server = await startMuster({
  MUSTER_DATA: world.dataDir,
  ...(world.databaseUrl === undefined ? {} : { MUSTER_DATABASE_URL: world.databaseUrl }),
  MUSTER_RATE_LIMIT_SUSTAINED: '1000000',
  MUSTER_RATE_LIMIT_BURST: '1000000',
  MUSTER_LOG_LEVEL: 'error',
  NODE_OPTIONS: values['node-options'],
})
const client = soakClient(server.address, connections)
const next = await soakRequests(world, client)

const statuses = new Map<number, number>()
const faults: string[] = []
let sent = 0
let peak = 0
const beganMs = performance.now()
const elapsedSeconds = () => (performance.now() - beganMs) / 1000
const resident = () => residentMebibytesOf(server.pid)
const sampling = setInterval(() => {
  peak = Math.max(peak, resident())
}, sampledEveryMs)
const reporting = setInterval(() => {
  console.log(`${Math.round(elapsedSeconds())} s  ${sent} requests  ${Math.round(resident())} MiB`)
}, reportedEveryMs)

function judge({ method, path }: SoakRequest, { status, text, isHung }: SoakAnswer): void {
  statuses.set(status, (statuses.get(status) ?? 0) + 1)
  const what = `${method} ${path.slice(0, 200)}`
  if (isHung) faults.push(`${what} gave nothing for ${hangMs / 1000} s`)
  if (status >= 500) faults.push(`${what} answered ${status}: ${text.slice(0, 300)}`)
}

async function work(): Promise<void> {
  while (sent < requests && elapsedSeconds() < seconds) {
    sent += 1
    const request = next()
    judge(request, await client.send(request))
  }
}

await Promise.all(Array.from({ length: connections }, work))
clearInterval(sampling)
clearInterval(reporting)
const tookSeconds = elapsedSeconds()
const end = resident()
client.close()
const stoppingMs = performance.now()
const code = await server.stop()
const stopMs = performance.now() - stoppingMs
rmSync(world.dataDir, { recursive: true, force: true })

if (Math.max(peak, end) > residentMaximumMebibytes)
  faults.push(`the server used ${Math.round(Math.max(peak, end))} MiB, more than ${residentMaximumMebibytes}`)
if (code !== 0) faults.push(`the server ended with ${code}: ${server.stderr().slice(-2000)}`)
if (stopMs > stopWithinMs) faults.push(`the server took ${Math.round(stopMs)} ms to end`)

const counts = [...statuses].sort(([one], [other]) => one - other).map((pair) => pair.join(': '))
console.log(`${sent} requests in ${Math.round(tookSeconds)} s; responses ${counts.join(', ')}`)
console.log(
  `memory ${Math.round(end)} MiB at the end, maximum ${Math.round(peak)} MiB; stopped in ${Math.round(stopMs)} ms`,
)
for (const fault of faults.slice(0, 50)) console.error(fault)
if (faults.length > 0) console.error(`${faults.length} faults`)
process.exitCode = faults.length > 0 ? 1 : 0
