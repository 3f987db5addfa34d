import { Redis, type Result } from 'ioredis'
import { setTimeoutAfterIo } from '../../lib/timeout-after-io.ts'
import type { Decision } from '../../lib/token-buckets.ts'
import type { RateLimiter, RateLimitFigures } from './rate-limit.ts'

declare module 'ioredis' {
  interface RedisCommander<Context> {
    takeToken(key: string, sustained: number, burst: number): Result<[number, number], Context>
  }
}

/** Minimal logger, compatible with pino and Fastify. */
export interface StateLog {
  warn(fields: object, message: string): void
  info(fields: object, message: string): void
}

/** Options of {@link redisRateLimiter}. */
export interface RedisRateLimiterOptions extends RateLimitFigures {
  /** `redis://` or `rediss://` URL. Never logged, because it may hold a password. */
  readonly url: string
  /** Limiter of this process, used while Redis is unavailable. Closed with this limiter. */
  readonly fallback: RateLimiter
  readonly log: StateLog
  /** Timeout after which Redis counts as unavailable; default: 100 ms. Connecting may take at least a second. */
  readonly responseTimeoutMs?: number
}

const defaultResponseTimeoutMs = 100
const connectTimeoutMs = 1_000
const reconnectDelayMs = 250

/**
 * Token bucket like that of lib/token-buckets.ts, but by the clock of Redis, so all processes share count and time.
 *
 * A bucket is two numbers: the missing tokens, in thousandths, and the time of that count, in milliseconds since 2026. Redis
 * has no monotonic clock. When its clock steps back, the time is moved back too, so the bucket refills from then on. A full
 * bucket expires.
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
 * Creates a rate limiter that is shared by all processes with the same Redis. It is exact and runs one script per request.
 * While Redis is unavailable (connection refused, errors, timeouts), each process uses `fallback`, logs this once and reports
 * it in `healthy()`. It returns to the shared count automatically.
 *
 * @returns the limiter, after the first response or failure of Redis
 */
export async function redisRateLimiter(options: RedisRateLimiterOptions): Promise<RateLimiter> {
  const { url, sustained, burst, fallback, log, responseTimeoutMs = defaultResponseTimeoutMs } = options
  const redis = connect(url, Math.max(connectTimeoutMs, responseTimeoutMs))
  const keyPrefix = `muster:bucket:${sustained}+${burst}:`
  let shared = false
  let isLogged = false
  let closed = false

  function markUnavailable(reason: unknown): void {
    const wasUnavailable = isLogged && !shared
    shared = false
    isLogged = true
    if (closed || wasUnavailable) return
    const text = reason instanceof Error ? reason.message : String(reason)
    log.warn({ reason: text }, 'Redis is unavailable: each process limits its own requests until it is back')
  }

  function markAvailable(): void {
    if (isLogged) log.info({}, 'Redis is available again: the rate limit is shared')
    shared = true
    isLogged = true
  }

  /** Reconnects: late responses on the old connection would delay the following ones. */
  function reconnect(reason: unknown): void {
    markUnavailable(reason)
    if (!closed && redis.status === 'ready') redis.disconnect(true)
  }

  async function probe(): Promise<void> {
    try {
      // Not PING: a read-only Redis, or one out of memory, answers PING but cannot count.
      await rejectAfter(responseTimeoutMs, redis.takeToken(`${keyPrefix} probe`, 1000, 1000))
      markAvailable()
    } catch (error) {
      reconnect(error)
    }
  }

  const firstOutcome = new Promise<void>((resolve) => {
    redis.on('ready', () => void probe().then(resolve))
    redis.on('error', (error) => {
      markUnavailable(error)
      resolve()
    })
    redis.on('close', () => {
      markUnavailable('the connection was closed')
      resolve()
    })
  })
  await firstOutcome

  return {
    async take(holder): Promise<Decision> {
      if (!shared) return fallback.take(holder)
      try {
        const [granted, figure] = await rejectAfter(
          responseTimeoutMs,
          redis.takeToken(keyPrefix + holder, sustained, burst),
        )
        return granted === 1
          ? { allowed: true, remaining: figure, retryAfterMs: 0 }
          : { allowed: false, remaining: 0, retryAfterMs: figure }
      } catch (error) {
        // Only the first of many failed requests reconnects.
        if (shared) reconnect(error)
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
    retryStrategy: () => reconnectDelayMs,
    scripts: { takeToken: { lua: takeTokenScript, numberOfKeys: 1 } },
  })
}

/** Rejects if the promise takes too long. */
function rejectAfter<T>(ms: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`no response within ${ms} ms`))
    const timer = setTimeoutAfterIo(ms, late)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
