import { openConnection, requestBytes } from '../http-connection.ts'
import type { Line } from '../report.ts'
import type { ServerProcess } from '../server-process.ts'
import { type SharedSetting, startSeveral, stopAll } from './shared-load.ts'

/** With three processes, separate limits per process would be obvious. */
const processes = 3
const sustained = 10
const burst = 10
const pressureMs = 3000

/** Returns the maximum number of requests of a key holder within `ms` of the first one. */
const allowedIn = (ms: number) => sustained + burst + (sustained * ms) / 1000

/** Line 12: the rate limit of a key holder is exact over several processes. */
export async function exactLimit(setting: SharedSetting): Promise<Line> {
  const limit = { MUSTER_RATE_LIMIT_SUSTAINED: String(sustained), MUSTER_RATE_LIMIT_BURST: String(burst) }
  const servers = await startSeveral(setting, processes, limit)
  try {
    const { granted, refused, leastMs, mostMs } = await sendWithoutPause(servers, setting.store.apiKey)
    // Redis counts whole milliseconds.
    const least = Math.floor(allowedIn(leastMs - 1))
    const most = Math.floor(allowedIn(mostMs + 1))
    return {
      number: 12,
      workload: `one holder over ${processes} processes, with Redis`,
      target: `${sustained + burst} + ${sustained}/s exactly`,
      measured: `${granted} granted in ${(mostMs / 1000).toFixed(2)} s (expected ${least} to ${most}), ${refused} refused`,
      met: granted >= least && granted <= most,
      figures: { granted, refused, least, most, leastMs, mostMs },
    }
  } finally {
    await stopAll(servers)
  }
}

/**
 * Sends requests to all servers without pause. The time between the first and the last count in Redis is at most from the
 * first request to the last response, and at least from the first response to the last request.
 */
async function sendWithoutPause(servers: readonly ServerProcess[], apiKey: string) {
  const opened = await Promise.all(servers.map(({ address }) => openConnection(address)))
  const request = requestBytes('GET', '/v1/browserExtensions?limit=1', apiKey)
  const seen = { granted: 0, refused: 0 }
  const beganMs = performance.now()
  const moments = { firstResponseMs: Number.POSITIVE_INFINITY, lastRequestMs: beganMs }
  await Promise.all(
    opened.map(async (connection) => {
      for (let askedMs = beganMs; askedMs - beganMs < pressureMs; askedMs = performance.now()) {
        moments.lastRequestMs = askedMs
        const { status } = await connection.ask(request)
        if (status !== 200 && status !== 429) throw new Error(`unexpected status ${status}`)
        moments.firstResponseMs = Math.min(moments.firstResponseMs, performance.now())
        seen[status === 200 ? 'granted' : 'refused'] += 1
      }
    }),
  )
  const mostMs = performance.now() - beganMs
  for (const connection of opened) connection.close()
  return { ...seen, mostMs, leastMs: moments.lastRequestMs - moments.firstResponseMs }
}
