import { Redis, type Result } from 'ioredis'
import { setTimeoutAfterIo } from '../../lib/timeout-after-io.ts'
import type { Decision } from '../../lib/token-buckets.ts'
import type { RateLimiter, RateLimitFigures } from './rate-limit.ts'

declare module 'ioredis' {
  interface RedisCommander<Context> {
    takeToken(key: string, sustained: number, burst: number): Result<[number, number], Context>
  }
}

/** The part of a logger that is needed here; pino and Fastify's logger are such. */
export interface StateLog {
  warn(fields: object, message: string): void
  info(fields: object, message: string): void
}

/** What {@link redisRateLimiter} needs. */
export interface RedisRateLimiterOptions extends RateLimitFigures {
  /** `redis://` or `rediss://` address; may hold a password, and is therefore never logged. */
  readonly url: string
  /** Counts in this process while Redis is away. Closed together with this limiter. */
  readonly fallback: RateLimiter
  readonly log: StateLog
  /** How late an answer may come before Redis counts as away. 100 ms unless told; a connection has a second or more. */
  readonly answerWithinMs?: number
}

const usualAnswerMs = 100
const connectWithinMs = 1_000
const reconnectAfterMs = 250

/**
 * The bucket of lib/token-buckets.ts by the clock of Redis, so that all processes share one count and one time.
 *
 * A bucket is two numbers: what is missing from it, in thousandths of a token, and the moment of that, in milliseconds
 * since 2026. Redis has no monotonic clock. When its clock steps back the moment is moved back with it, so that a bucket
 * gets no emptier and refills from then on. A bucket expires when it is full.
 */
const takeTokenScript = `
local sustained, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local capacity = (sustained + burst) * 1000
local time = redis.call('TIME')
local now = (time[1] - 1767225600) * 1000 + math.floor(time[2] / 1000)
local missing, at = string.match(redis.call('GET', KEYS[1]) or '', '^(%d+) (%d+)$')
missing, at = tonumber(missing or 0), tonumber(at or now)
missing = math.max(0, missing - math.max(0, now - at) * sustained)
local function keep()
  redis.call('SET', KEYS[1], string.format('%.0f %.0f', missing, now), 'PX', math.ceil(missing / sustained))
end
local left = capacity - missing - 1000
if left < 0 then
  if now < at then keep() end
  return { 0, math.ceil(-left / sustained) }
end
missing = missing + 1000
keep()
return { 1, math.floor(left / 1000) }
`

/**
 * Limits holders over all processes that share one Redis: exact, by one script per request. While Redis is away
 * (refuses connections, fails, or does not answer in time) each process limits by itself through `fallback`, says
 * so once in the log and by `healthy()`, and returns to the shared count by itself.
 *
 * @returns the limiter, once Redis has answered or failed for the first time
 */
export async function redisRateLimiter(options: RedisRateLimiterOptions): Promise<RateLimiter> {
  const { url, sustained, burst, fallback, log, answerWithinMs = usualAnswerMs } = options
  const redis = connect(url, Math.max(connectWithinMs, answerWithinMs))
  const keyPrefix = `muster:bucket:${sustained}+${burst}:`
  let shared = false
  let told = false
  let closed = false

  function lose(reason: unknown): void {
    const known = told && !shared
    shared = false
    told = true
    if (closed || known) return
    const why = reason instanceof Error ? reason.message : String(reason)
    log.warn({ reason: why }, 'Redis is away: until it is back, each process limits its own requests')
  }

  function gain(): void {
    if (told) log.info({}, 'Redis is back: requests are counted over all processes again')
    shared = true
    told = true
  }

  /** A connection whose answers come too late would give them to nobody; a new one starts clean. */
  function loseConnection(reason: unknown): void {
    lose(reason)
    if (!closed && redis.status === 'ready') redis.disconnect(true)
  }

  async function probe(): Promise<void> {
    try {
      // Not PING: one that may only be read, or has no memory left, answers that, and counts nothing.
      await within(answerWithinMs, redis.takeToken(`${keyPrefix} probe`, 1000, 1000))
      gain()
    } catch (error) {
      loseConnection(error)
    }
  }

  const firstOutcome = new Promise<void>((resolve) => {
    redis.on('ready', () => void probe().then(resolve))
    redis.on('error', (error) => {
      lose(error)
      resolve()
    })
    redis.on('close', () => {
      lose('the connection was closed')
      resolve()
    })
  })
  await firstOutcome

  return {
    async take(holder): Promise<Decision> {
      if (!shared) return fallback.take(holder)
      try {
        const [granted, figure] = await within(
          answerWithinMs,
          redis.takeToken(keyPrefix + holder, sustained, burst),
        )
        return granted === 1
          ? { allowed: true, remaining: figure, retryAfterMs: 0 }
          : { allowed: false, remaining: 0, retryAfterMs: figure }
      } catch (error) {
        // Of many requests that failed together, the first one ends the connection.
        if (shared) loseConnection(error)
        return fallback.take(holder)
      }
    },
    async close() {
      closed = true
      shared = false
      redis.disconnect()
      await fallback.close()
    },
    healthy: () => shared,
  }
}

function connect(url: string, connectTimeout: number): Redis {
  return new Redis(url, {
    connectTimeout,
    enableOfflineQueue: false,
    enableReadyCheck: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => reconnectAfterMs,
    scripts: { takeToken: { lua: takeTokenScript, numberOfKeys: 1 } },
  })
}

/** The answer, or an error if there is none in time. */
function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`no answer within ${ms} ms`))
    const timer = setTimeoutAfterIo(ms, late)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
