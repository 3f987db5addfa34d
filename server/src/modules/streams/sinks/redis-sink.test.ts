import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { issuedCertificate } from '../../../../../test/support/issued-certificate.ts'
import { freePort, startPrivateServer } from '../../../../../test/support/private-server.ts'
import { startRelay } from '../../../../../test/support/relay.ts'
import { sampleEvents, sampleIdsIn } from '../../../../../test/support/sample-events.ts'
import { startRedis, temporaryFolder } from '../../../../../test/support/services.ts'
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

const to = (key: string, maxLength = 0, url = server.url, timeoutMs = 2000) =>
  redisTarget({ eventsRedisUrl: url, eventsRedisStream: key, eventsRedisMaxLength: maxLength }, { timeoutMs })
const connections = async () =>
  Number(/total_connections_received:(\d+)/.exec(await redis.info('stats'))?.[1])
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
  await expect(target.deliver(sampleEvents(0, 5))).rejects.toThrow(/^OOM/)
  await redis.config('SET', 'maxmemory', '0')
  expect(await target.deliver(sampleEvents(0, 5))).toBeUndefined()
  expect(await entries('full')).toHaveLength(5)
  await target.close()
})

test('a server that becomes full within a batch takes none of it, so that the order is kept', async () => {
  const target = to('filled')
  await target.deliver(sampleEvents(0, 10))
  const [, used = '0'] = /used_memory:(\d+)/.exec(await redis.info('memory')) ?? []
  await redis.config('SET', 'maxmemory', String(Number(used) + 400_000))
  await expect(target.deliver(sampleEvents(10, 1500))).rejects.toThrow(/^OOM/)
  await redis.config('SET', 'maxmemory', '0')
  expect(await entries('filled')).toHaveLength(10)
  await target.close()
})

test('a server that is gone without a word is looked for again', async () => {
  const relay = await startRelay(Number(new URL(server.url).port))
  onTestFinished(() => relay.close())
  const url = `redis://127.0.0.1:${relay.port}`
  const target = to('lost', 0, url, 200)
  await target.deliver(sampleEvents(0, 1))
  relay.lose()
  await expect(target.deliver(sampleEvents(1, 1))).rejects.toThrow('timed out')
  await target.deliver(sampleEvents(1, 1))
  relay.stall()
  await expect(to('lost', 0, url, 200).deliver([])).rejects.toThrow('timed out')
  await target.close()
})

test('a server that was replaced by another, such as after a failover, is looked for again', async () => {
  const target = to('replaced')
  await target.deliver(sampleEvents(0, 1))
  await redis.replicaof('127.0.0.1', 1)
  await expect(target.deliver(sampleEvents(1, 1))).rejects.toThrow('READONLY')
  await redis.replicaof('NO', 'ONE')
  const before = await connections()
  await target.deliver(sampleEvents(1, 1))
  expect(await connections()).toBe(before + 1)
  await target.close()
})

test('a server with a certificate of a private authority is trusted by MUSTER_EVENTS_CA', async () => {
  const { cert, key, authority } = await issuedCertificate()
  const folder = temporaryFolder('redis-tls')
  writeFileSync(join(folder, 'cert.pem'), cert)
  writeFileSync(join(folder, 'key.pem'), key)
  const port = await freePort()
  const tls = ['--tls-port', `${port}`, '--tls-cert-file', 'cert.pem', '--tls-key-file', 'key.pem']
  const secured = await startPrivateServer({
    command: ['redis-server', '--port', '0', '--bind', '127.0.0.1', ...tls, '--tls-auth-clients', 'no'],
    folder,
    readyText: 'eady to accept connections',
  })
  onTestFinished(secured.stop)
  const settings = {
    eventsRedisUrl: `rediss://localhost:${port}`,
    eventsRedisStream: 'x',
    eventsRedisMaxLength: 0,
  }
  await expect(redisTarget(settings, {}).deliver(sampleEvents(0, 1))).rejects.toThrow('certificate')
  const target = redisTarget(settings, { ca: [authority] })
  await target.deliver(sampleEvents(0, 1))
  await target.close()
})

test('a user without the right to more than the stream suffices', async () => {
  await redis.acl('SETUSER', 'muster', 'on', '>secret', '~mine', '+xadd', '+xlen', '+multi', '+exec')
  const target = to('mine', 0, server.url.replace('//', '//muster:secret@'))
  await target.deliver([])
  await target.deliver(sampleEvents(0, 2))
  await target.close()
  expect(await entries('mine')).toHaveLength(2)
  await expect(to('x', 0, server.url.replace('//', '//muster:wrong@')).deliver([])).rejects.toThrow(
    'WRONGPASS',
  )
})

test('the database of the address gets the events, and must exist', async () => {
  const target = to('numbered', 0, `${server.url}/1`)
  await target.deliver(sampleEvents(0, 2))
  await target.close()
  const inDatabase = new Redis(`${server.url}/1`)
  expect(await inDatabase.xlen('numbered')).toBe(2)
  inDatabase.disconnect()
  await expect(to('numbered', 0, `${server.url}/99`).deliver(sampleEvents(0, 1))).rejects.toThrow(
    'out of range',
  )
  expect(await redis.exists('numbered')).toBe(0)
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
