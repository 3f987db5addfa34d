import { openConnection, requestBytes } from '../http-connection.ts'
import type { Line } from '../report.ts'
import type { ServerProcess } from '../server-process.ts'
import { type SharedSetting, startSeveral, stopAll } from './shared-load.ts'

/** Three, so that a limit which each process kept for itself would be seen at once. */
const processes = 3
const sustained = 10
const burst = 10
const pressureMs = 3000

/** How many requests a holder may make in a time that begins with the first of them. */
const allowedIn = (ms: number) => sustained + burst + (sustained * ms) / 1000

/** Line 12: the requests of one holder who presses several processes for some seconds are limited as if there were one. */
export async function exactLimit(setting: SharedSetting): Promise<Line> {
  const limit = { MUSTER_RATE_LIMIT_SUSTAINED: String(sustained), MUSTER_RATE_LIMIT_BURST: String(burst) }
  const servers = await startSeveral(setting, processes, limit)
  try {
    const { granted, refused, leastMs, mostMs } = await press(servers, setting.store.apiKey)
    // Redis counts in whole milliseconds.
    const least = Math.floor(allowedIn(leastMs - 1))
    const most = Math.floor(allowedIn(mostMs + 1))
    return {
      number: 12,
      workload: `one holder over ${processes} processes, with Redis`,
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
 * Asks all servers without a pause. When Redis counted the first and the last request is known within limits: the time
 * between was at most that from the first question to the last answer, at least that from the first answer to the last
 * question.
 */
async function press(servers: readonly ServerProcess[], apiKey: string) {
  const opened = await Promise.all(servers.map(({ address }) => openConnection(address)))
  const request = requestBytes('GET', '/v1/browserExtensions?limit=1', apiKey)
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
