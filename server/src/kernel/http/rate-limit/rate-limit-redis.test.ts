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

// These tests stop and hold their Redis, so they start one of their own instead of the one the other tests share.
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

interface LimitOptions extends Partial<Pick<RedisRateLimiterOptions, 'sustained' | 'answerWithinMs'>> {
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

/** Sees that a holder with a full bucket is granted 20, and what came back into it meanwhile. */
async function expectFullBucket(limiter: RateLimiter, holder: string): Promise<void> {
  const startMs = performance.now()
  const count = await granted(limiter, holder, 40)
  const passedSeconds = (performance.now() - startMs) / 1000
  expect(count).toBeGreaterThanOrEqual(20)
  expect(count).toBeLessThanOrEqual(20 + 10 * passedSeconds + 1)
}

/** However busy the machine is, a Redis that runs is there. */
const patient = { answerWithinMs: 10_000 }

describe('with Redis', () => {
  test('three processes share one count', async () => {
    const processes = [await limit(patient), await limit(patient), await limit(patient)]
    const startMs = performance.now()
    const counts = await Promise.all(processes.map(({ limiter }) => granted(limiter, 'shared', 40)))
    const passedSeconds = (performance.now() - startMs) / 1000
    const total = counts.reduce((sum, count) => sum + count, 0)
    expect(total).toBeGreaterThanOrEqual(20)
    // One more for the millisecond into which either clock is rounded.
    expect(total).toBeLessThanOrEqual(20 + 10 * passedSeconds + 1)
    expect(processes.map(({ limiter }) => limiter.healthy())).toEqual([true, true, true])
    expect(processes.flatMap(({ lines }) => lines)).toEqual([])
  })

  test('a decision says what is left, and how long to wait', async () => {
    const { limiter } = await limit(patient)
    expect(await limiter.take('ada')).toEqual({ allowed: true, remaining: 19, retryAfterMs: 0 })
    const decisions = await Promise.all(Array.from({ length: 80 }, () => limiter.take('ada')))
    const refused = decisions.find(({ allowed }) => !allowed) ?? decisions[0]
    expect(refused).toMatchObject({ allowed: false, remaining: 0 })
    expect(refused?.retryAfterMs).toBeGreaterThan(0)
    expect(refused?.retryAfterMs).toBeLessThanOrEqual(100)
  })

  test('over two seconds of pressure a holder gets 20 + 10 a second, no more, no fewer', async () => {
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
    // Where none was refused, a slow machine has not asked for more.
    expect(count).toBeGreaterThanOrEqual(20 + (lastRefusedMs - firstRefusedMs) / 100 - 2)
  })

  test('a clock of Redis that steps back empties no bucket, and does not hold up its refill', async () => {
    const { limiter } = await limit(patient)
    const client = new Redis(port)
    const key = 'muster:bucket:10+10:stepped'
    /** Lets the bucket be one that was last used an hour from now, which is what a step back leaves behind. */
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

  test('a bucket is gone from Redis when it is full', async () => {
    const { limiter } = await limit({ ...patient, sustained: 1_000 })
    await limiter.take('brief')
    const client = new Redis(port)
    const isGone = async () => (await client.exists('muster:bucket:1000+10:brief')) === 0
    expect(await until('end of the bucket', isGone)).toBe(true)
    client.disconnect()
  })
})

describe('without Redis', () => {
  test('the process limits by itself, says so once, and returns when Redis is back', async () => {
    const { limiter, lines } = await limit(patient)
    await stopRedis()
    await until('loss of Redis', () => !limiter.healthy())
    await expectFullBucket(limiter, 'alone')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/^warn Redis is away/)

    await startRedis()
    await until('return to Redis', () => limiter.healthy())
    expect(await granted(limiter, 'alone', 10)).toBe(10)
    expect(lines).toHaveLength(2)
    expect(lines[1]).toMatch(/^info Redis is back/)
  })

  test('a start without Redis succeeds, and finds it later', async () => {
    await stopRedis()
    const { limiter, lines } = await limit(patient)
    expect(limiter.healthy()).toBe(false)
    await expectFullBucket(limiter, 'early')
    await startRedis()
    await until('return to Redis', () => limiter.healthy())
    expect(lines.map((line) => line.slice(0, 4))).toEqual(['warn', 'info'])
  })

  test('a Redis that hangs holds up nobody for good', async () => {
    const { limiter, lines } = await limit({ answerWithinMs: 1_000 })
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

  test('a Redis that answers and takes nothing in is away until it does, and that is said once', async () => {
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

  test('the password of the address is not logged', async () => {
    const { limiter, lines } = await limit({ password: 'open-sesame' })
    await limiter.take('ada')
    expect(lines.join('\n')).not.toContain('open-sesame')
  })
})
