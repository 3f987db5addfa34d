import { openConnection, requestBytes } from './http-connection.ts'
import { cpuSecondsOf } from './process-figures.ts'
import type { ServerProcess } from './server-process.ts'
import { percentile } from './statistics.ts'

/** Requests to be sent in turn, from a number of connections at once. */
export interface Load {
  readonly paths: readonly string[]
  readonly apiKey: string
  readonly connections: number
  /** How many requests, all in all. */
  readonly amount: number
  readonly method?: 'GET' | 'POST'
  /** The body of the n-th request. */
  readonly body?: (number: number) => string
  /**
   * Whether this process never sleeps. To wake a process is paid by the one that sends to it (13 µs of a request here), so
   * a server that is slower than its client would pay at each answer for what a faster one is spared, and a client far
   * away costs neither. It takes a core for itself, which only a server without a database beside it can spare.
   */
  readonly wakeful?: boolean
}

/** What a server did under a load. */
export interface Run {
  readonly requestsPerSecond: number
  /** Processor time of the server process per request, user and system. */
  readonly cpuMicroseconds: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/**
 * Loads a server from the loopback address.
 *
 * @throws Error if any request was not answered with 200: figures of failures mean nothing
 */
export async function runLoad(server: ServerProcess, load: Load): Promise<Run> {
  const { paths, apiKey, amount, method = 'GET', body } = load
  const connections = await Promise.all(
    Array.from({ length: load.connections }, () => openConnection(server.address)),
  )
  const latencies = new Float64Array(amount)
  let sent = 0
  const sleep = load.wakeful ? stayAwake() : () => undefined
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
  await Promise.all(all).finally(sleep)
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

/** Looks for answers without a pause. @returns what ends it */
function stayAwake(): () => void {
  let awake = true
  const look = (): void => {
    if (awake) setImmediate(look)
  }
  look()
  return () => {
    awake = false
  }
}
