import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleEvents, sampleIdsIn } from '../../../../../test/support/sample-events.ts'
import { startRedis } from '../../../../../test/support/services.ts'
import { until } from '../../../../../test/support/until.ts'
import { redisTarget } from './redis-sink.ts'

let server: Awaited<ReturnType<typeof startRedis>>
let redis: Redis
beforeAll(async () => {
  server = await startRedis()
  redis = new Redis(server.url)
})
afterAll(async () => {
  redis.disconnect()
  await server.stop()
})

const to = (key: string, maxLength = 0, url = server.url) =>
  redisTarget(
    { eventsRedisUrl: url, eventsRedisStream: key, eventsRedisMaxLength: maxLength },
    { timeoutMs: 2000 },
  )
const entries = async (key: string) =>
  (await redis.xrange(key, '-', '+')).map(([, fields]) =>
    Object.fromEntries(fields.flatMap((name, at) => (at % 2 === 0 ? [[name, fields[at + 1] ?? '']] : []))),
  )

test('a stream gets events in order, with their IDs', async () => {
  const target = to('ordered')
  const events = sampleEvents(0, 300)
  await target.deliver([])
  for (const from of [0, 100, 200]) await target.deliver(events.slice(from, from + 100))
  const found = await entries('ordered')
  expect(found.map(({ id }) => id)).toEqual(sampleIdsIn(events.map(({ body }) => body)))
  expect(JSON.parse(found[5]?.event ?? '')).toEqual({
    ...JSON.parse(events[5]?.body ?? ''),
    organizationId: 'org-1',
  })
  expect(found[5]).toMatchObject({
    organizationId: 'org-1',
    object: JSON.parse(events[5]?.body ?? '').object,
  })
  await target.close()
})

test('a full server gets the events again when it has room', async () => {
  const target = to('full')
  await redis.config('SET', 'maxmemory', '1')
  const result = await target.deliver(sampleEvents(0, 5))
  expect(result?.failed.map(({ at }) => at)).toEqual([0, 1, 2, 3, 4])
  expect(result?.failed[0]?.reason).toMatch(/^OOM/)
  await redis.config('SET', 'maxmemory', '0')
  expect(await target.deliver(sampleEvents(0, 5))).toBeUndefined()
  expect(await entries('full')).toHaveLength(5)
  await target.close()
})

test('a key of another type fails, and so does a server that is gone', async () => {
  await redis.set('text', 'x')
  await expect(to('text').deliver([])).rejects.toThrow('WRONGTYPE')
  await expect(to('x', 0, 'redis://127.0.0.1:1').deliver(sampleEvents(0, 1))).rejects.toThrow('ECONNREFUSED')
})

test('a lost connection is made again for the next batch', async () => {
  const target = to('again')
  await target.deliver(sampleEvents(0, 1))
  await redis.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
  await until('a connection', async () => (await target.deliver(sampleEvents(1, 1))) === undefined)
  expect(await entries('again')).toHaveLength(2)
  await target.close()
})

test('a stream keeps about as many events as are set', async () => {
  const target = to('short', 100)
  await target.deliver(sampleEvents(0, 1000))
  expect(await redis.xlen('short')).toBeLessThan(400)
  await target.close()
})
