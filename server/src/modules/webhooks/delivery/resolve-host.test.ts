import { afterEach, describe, expect, test } from 'vitest'
import {
  type DnsAnswer,
  type DnsQuery,
  type DnsServer,
  startDnsServer,
} from '../../../../../test/support/dns-server.ts'
import { acknowledge, startReceiver } from '../../../../../test/support/webhook-receiver.ts'
import { type HostResolver, hostResolver } from './resolve-host.ts'
import { webhookSender } from './webhook-sender.ts'

const opened: (() => unknown)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close()
})

async function resolverAt(
  answer: (query: DnsQuery) => DnsAnswer | Promise<DnsAnswer>,
  nowMs?: () => number,
): Promise<HostResolver & Pick<DnsServer, 'queries'>> {
  const server = await startDnsServer(answer)
  const resolver = hostResolver({ servers: [server.address], ...(nowMs ? { nowMs } : {}) })
  opened.push(server.close, resolver.close)
  return { ...resolver, queries: server.queries }
}

const failureOf = (answer: Promise<unknown>): Promise<string> =>
  answer.then(
    () => 'found',
    (error) => String(error.code ?? error.name),
  )

describe('a look-up', () => {
  test('is shared by concurrent calls and cached for a short time', async () => {
    let nowMs = 0
    const { resolve, queries } = await resolverAt(
      () => ['127.0.0.1'],
      () => nowMs,
    )
    const answers = await Promise.all(Array.from({ length: 20 }, () => resolve('good.test')))
    expect(new Set(answers.flat())).toEqual(new Set(['127.0.0.1']))
    nowMs += 1999
    await resolve('good.test')
    expect(queries).toHaveLength(2)
    nowMs += 1
    await resolve('good.test')
    expect(queries).toHaveLength(4)
  })

  test('that fails is cached for 5 s', async () => {
    let nowMs = 0
    const { resolve, queries } = await resolverAt(
      () => 'no such name',
      () => nowMs,
    )
    expect(await failureOf(resolve('dead.invalid'))).toBe('ENOTFOUND')
    nowMs += 4999
    expect(await failureOf(resolve('dead.invalid'))).toBe('ENOTFOUND')
    expect(queries).toHaveLength(2)
    nowMs += 1
    expect(await failureOf(resolve('dead.invalid'))).toBe('ENOTFOUND')
    expect(queries).toHaveLength(4)
  })

  test('finds names that only the system knows, even while dead names wait', async () => {
    const { resolve } = await resolverAt(() => 'no such name')
    const dead = Array.from({ length: 50 }, (_, at) => failureOf(resolve(`dead-${at}.invalid`)))
    expect(await resolve('localhost')).toContain('127.0.0.1')
    await Promise.all(dead)
  })

  test('by the system blocks at most two threads', async () => {
    const { resolve } = await resolverAt(() => 'no such name')
    let running = 0
    let most = 0
    const dead = Array.from({ length: 50 }, (_, at) => failureOf(resolve(`dead-${at}.invalid`)))
    const all = Promise.all(dead).finally(() => clearInterval(counting))
    const counting = setInterval(() => {
      running = process.getActiveResourcesInfo().filter((name) => name === 'GetAddrInfoReqWrap').length
      most = Math.max(most, running)
    })
    await all
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThanOrEqual(2)
  })

  test('is canceled by close, and none starts afterwards', async () => {
    const { resolve, close } = await resolverAt(() => 'silent')
    const pending = failureOf(resolve('silent.test'))
    close()
    expect(await pending).toBe('CanceledLookUp')
    expect(await failureOf(resolve('other.test'))).toBe('CanceledLookUp')
  })
})

test('checks the addresses of a shared look-up for every connection', async () => {
  const there = await startReceiver(acknowledge)
  opened.push(there.close)
  const resolver = await resolverAt(() => ['127.0.0.1'])
  const attempt = async (allowPrivate: boolean) => {
    const sender = webhookSender({ allowPrivate, resolver: { ...resolver, close: () => {} } })
    const url = `http${allowPrivate ? '' : 's'}://good.test:${there.port}/`
    const outcome = await sender.send({ url, headers: [], secrets: ['x'], body: '{"id":"1"}' }, 1)
    sender.close()
    return outcome
  }
  expect(await attempt(true)).toMatchObject({ status: 200 })
  expect(await attempt(false)).toMatchObject({ status: null, error: expect.stringContaining('loopback') })
  expect(there.requests).toHaveLength(1)
})
