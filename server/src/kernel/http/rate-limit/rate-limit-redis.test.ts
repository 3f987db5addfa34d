import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  freePort,
  type PrivateServer,
  startPrivateServer,
} from '../../../../../test/support/private-server.ts'
import { until } from '../../../../../test/support/until.ts'
import { systemClock } from '../../lib/clock.ts'
import { memoryRateLimiter, type RateLimiter } from './rate-limit.ts'
import { type RedisRateLimiterOptions, redisRateLimiter } from './rate-limit-redis.ts'

// These tests stop and suspend Redis, so they start their own instead of the shared one.
const port = await freePort()
let server: PrivateServer
let pidFile: string
const open: RateLimiter[] = []

beforeAll(startRedis)
afterEach(async () => {
  for (const limiter of open.splice(0)) await limiter.close()
})
afterAll(stopRedis)

async function startRedis(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-redis-'))
  pidFile = join(folder, 'redis.pid')
  server = await startPrivateServer({
    command: ['redis-server', '--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--pidfile', pidFile],
    folder,
    readyText: 'Ready to accept connections',
  })
}

async function stopRedis(): Promise<void> {
  await server.stop()
}

async function signalRedis(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
  process.kill(Number(await readFile(pidFile, 'utf8')), signal)
}

interface LimitOptions extends Partial<Pick<RedisRateLimiterOptions, 'sustained' | 'responseTimeoutMs'>> {
  readonly password?: string
}

async function limit({ sustained = 10, password, ...more }: LimitOptions = {}) {
  const figures = { sustained, burst: 10 }
  const lines: string[] = []
  const limiter = await redisRateLimiter({
    ...{ ...figures, ...more },
    url: `redis://${password === undefined ? '' : `:${password}@`}127.0.0.1:${port}`,
    fallback: memoryRateLimiter({ ...figures, clock: systemClock }),
    log: {
      warn: (fields, message) => lines.push(`warn ${message} ${JSON.stringify(fields)}`),
      info: (_fields, message) => lines.push(`info ${message}`),
    },
  })
  open.push(limiter)
  return { limiter, lines }
}

async function granted(limiter: RateLimiter, holder: string, count: number): Promise<number> {
  const decisions = await Promise.all(Array.from({ length: count }, () => limiter.take(holder)))
  return decisions.filter((decision) => decision.allowed).length
}

/** Checks that a holder with a full bucket gets 20 tokens plus those added in the meantime. */
async function expectFullBucket(limiter: RateLimiter, holder: string): Promise<void> {
  const startMs = performance.now()
  const count = await granted(limiter, holder, 40)
  const passedSeconds = (performance.now() - startMs) / 1000
  expect(count).toBeGreaterThanOrEqual(20)
  expect(count).toBeLessThanOrEqual(20 + 10 * passedSeconds + 1)
}

/** Timeout that a running Redis never exceeds, even on a busy machine. */
const patient = { responseTimeoutMs: 10_000 }

describe('with Redis', () => {
  test('three processes share one count', async () => {
    const processes = [await limit(patient), await limit(patient), await limit(patient)]
    const startMs = performance.now()
    const counts = await Promise.all(processes.map(({ limiter }) => granted(limiter, 'shared', 40)))
    const passedSeconds = (performance.now() - startMs) / 1000
    const total = counts.reduce((sum, count) => sum + count, 0)
    expect(total).toBeGreaterThanOrEqual(20)
    // One more because both clocks are rounded to a millisecond.
    expect(total).toBeLessThanOrEqual(20 + 10 * passedSeconds + 1)
    expect(processes.map(({ limiter }) => limiter.healthy())).toEqual([true, true, true])
    expect(processes.flatMap(({ lines }) => lines)).toEqual([])
  })

  test('a decision has the remaining tokens and the wait', async () => {
    const { limiter } = await limit(patient)
    expect(await limiter.take('ada')).toEqual({ allowed: true, remaining: 19, retryAfterMs: 0 })
    const decisions = await Promise.all(Array.from({ length: 80 }, () => limiter.take('ada')))
    const refused = decisions.find(({ allowed }) => !allowed) ?? decisions[0]
    expect(refused).toMatchObject({ allowed: false, remaining: 0 })
    expect(refused?.retryAfterMs).toBeGreaterThan(0)
    expect(refused?.retryAfterMs).toBeLessThanOrEqual(100)
  })

  test('under load for two seconds a holder gets exactly 20 + 10 per second', async () => {
    const { limiter } = await limit(patient)
    const startMs = performance.now()
    let count = 0
    let [firstRefusedMs, lastRefusedMs] = [Number.POSITIVE_INFINITY, 0]
    while (performance.now() - startMs < 2_000) {
      const askedMs = performance.now()
      const now = await granted(limiter, 'pressed', 5)
      count += now
      if (now === 5) continue
      firstRefusedMs = Math.min(firstRefusedMs, performance.now())
      lastRefusedMs = askedMs
    }
    expect(count).toBeLessThanOrEqual(20 + (performance.now() - startMs) / 100 + 1)
    // If none was rejected, the machine was too slow to exceed the limit.
    expect(count).toBeGreaterThanOrEqual(20 + (lastRefusedMs - firstRefusedMs) / 100 - 2)
  })

  test('buckets keep their tokens and their refill when the clock of Redis steps back', async () => {
    const { limiter } = await limit(patient)
    const client = new Redis(port)
    const key = 'muster:bucket:10+10:stepped'
    /** Sets the last use of the bucket to an hour from now, as after a step back. */
    const stepBack = async () => {
      const [missing = '', at = ''] = ((await client.get(key)) ?? '').split(' ')
      await client.set(key, `${missing} ${Number(at) + 3_600_000}`, 'PX', 3_600_000)
    }
    expect(await granted(limiter, 'stepped', 5)).toBe(5)
    await stepBack()
    const startMs = performance.now()
    expect(await granted(limiter, 'stepped', 15)).toBe(15)
    await stepBack()
    await until('refill', async () => (await limiter.take('stepped')).allowed)
    expect(performance.now() - startMs).toBeLessThan(10_000)
    client.disconnect()
  })

  test('a full bucket expires in Redis', async () => {
    const { limiter } = await limit({ ...patient, sustained: 1_000 })
    await limiter.take('brief')
    const client = new Redis(port)
    const isGone = async () => (await client.exists('muster:bucket:1000+10:brief')) === 0
    expect(await until('end of the bucket', isGone)).toBe(true)
    client.disconnect()
  })
})

describe('without Redis', () => {
  test('the process counts alone, logs this once, and returns when Redis is available again', async () => {
    const { limiter, lines } = await limit(patient)
    await stopRedis()
    await until('loss of Redis', () => !limiter.healthy())
    await expectFullBucket(limiter, 'alone')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/^warn Redis is unavailable/)

    await startRedis()
    await until('return to Redis', () => limiter.healthy())
    expect(await granted(limiter, 'alone', 10)).toBe(10)
    expect(lines).toHaveLength(2)
    expect(lines[1]).toMatch(/^info Redis is available again/)
  })

  test('starts without Redis and connects later', async () => {
    await stopRedis()
    const { limiter, lines } = await limit(patient)
    expect(limiter.healthy()).toBe(false)
    await expectFullBucket(limiter, 'early')
    await startRedis()
    await until('return to Redis', () => limiter.healthy())
    expect(lines.map((line) => line.slice(0, 4))).toEqual(['warn', 'info'])
  })

  test('a hanging Redis delays requests only briefly', async () => {
    const { limiter, lines } = await limit({ responseTimeoutMs: 1_000 })
    await until('Redis', () => limiter.healthy())
    lines.length = 0
    await signalRedis('SIGSTOP')
    try {
      await expectFullBucket(limiter, 'patient')
      expect(limiter.healthy()).toBe(false)
    } finally {
      await signalRedis('SIGCONT')
    }
    await until('return to Redis', () => limiter.healthy())
    expect(lines.map((line) => line.slice(0, 4))).toEqual(['warn', 'info'])
  })

  test('a Redis that rejects writes counts as unavailable, which is logged once', async () => {
    const { limiter, lines } = await limit(patient)
    const administrator = new Redis(port)
    const connections = async () =>
      Number(/total_connections_received:(\d+)/.exec(await administrator.info('stats'))?.[1])
    const before = await connections()
    await administrator.config('SET', 'maxmemory', '1')
    expect(await granted(limiter, 'full', 5)).toBe(5)
    await until('some new tries', async () => (await connections()) > before + 3)
    expect(limiter.healthy()).toBe(false)
    expect(lines).toHaveLength(1)
    await administrator.config('SET', 'maxmemory', '0')
    await until('return', () => limiter.healthy())
    expect(lines).toHaveLength(2)
    administrator.disconnect()
  })

  test('the password in the URL is not logged', async () => {
    const { limiter, lines } = await limit({ password: 'open-sesame' })
    await limiter.take('ada')
    expect(lines.join('\n')).not.toContain('open-sesame')
  })
})
