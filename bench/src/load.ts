import { openConnection, requestBytes } from './http-connection.ts'
import { cpuSecondsOf } from './process-figures.ts'
import type { ServerProcess } from './server-process.ts'
import { percentile } from './statistics.ts'

/** A sequence of requests, sent over several connections. */
export interface Load {
  readonly paths: readonly string[]
  readonly apiKey: string
  readonly connections: number
  /** Total number of requests. */
  readonly amount: number
  readonly method?: 'GET' | 'POST'
  /** Returns the body of a request. */
  readonly body?: (number: number) => string
  /**
   * True to keep the client awake. Waking a process costs the process that sends to it (13 µs of a request here). A server that
   * is slower than its client would pay this for each response, and a faster one would not; with remote clients neither does.
   * The client then needs a core for itself, so this is only possible without a separate database.
   */
  readonly busyPoll?: boolean
}

/** Result of a load. */
export interface Run {
  readonly requestsPerSecond: number
  /** CPU time of the server process per request, user and system. */
  readonly cpuMicroseconds: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/**
 * Sends a load to a server on the loopback address.
 *
 * @throws Error if a response is not 200, since timings of errors are meaningless
 */
export async function runLoad(server: ServerProcess, load: Load): Promise<Run> {
  const { paths, apiKey, amount, method = 'GET', body } = load
  const connections = await Promise.all(
    Array.from({ length: load.connections }, () => openConnection(server.address)),
  )
  const latencies = new Float64Array(amount)
  let sent = 0
  const stopPolling = load.busyPoll ? keepAwake() : () => undefined
  const beforeSeconds = cpuSecondsOf(server.pid)
  const beganMs = performance.now()
  const all = connections.map(async (connection) => {
    for (let number = sent++; number < amount; number = sent++) {
      const path = paths[number % paths.length] ?? '/'
      const answer = await connection.ask(requestBytes(method, path, apiKey, body?.(number)))
      if (answer.status !== 200) throw new Error(`${server.address}${path} answered ${answer.status}`)
      latencies[number] = answer.ms
    }
  })
  await Promise.all(all).finally(stopPolling)
  const seconds = (performance.now() - beganMs) / 1000
  const cpuSeconds = cpuSecondsOf(server.pid) - beforeSeconds
  for (const connection of connections) connection.close()
  latencies.sort()
  return {
    requestsPerSecond: amount / seconds,
    cpuMicroseconds: (cpuSeconds / amount) * 1e6,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
  }
}

/** Keeps the event loop running without pause. @returns a function that stops this */
function keepAwake(): () => void {
  let awake = true
  const spin = (): void => {
    if (awake) setImmediate(spin)
  }
  spin()
  return () => {
    awake = false
  }
}
