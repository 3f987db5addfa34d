import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { privateView } from '../../e2e/src/managed-policy.ts'
import { makeSelfSigned } from '../../server/src/kernel/http/self-signed.ts'
import { hostResolver } from '../../server/src/modules/webhooks/delivery/resolve-host.ts'
import { type DnsQuery, startDnsServer } from '../support/dns-server.ts'
import { createKey, runMuster, startMuster } from '../support/muster-process.ts'
import { STORES } from '../support/stores.ts'
import { until } from '../support/until.ts'
import { acknowledge, startReceiver } from '../support/webhook-receiver.ts'
import { webhookWorld } from '../support/webhook-world.ts'

const opened: (() => unknown)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close()
})

const isDead = ({ name }: DnsQuery): boolean => name.startsWith('dead-')

for (const store of STORES) {
  describe(store, () => {
    test('endpoints with unresolvable names delay no others and cost one lookup each', async () => {
      const { promise: end, resolve: release } = Promise.withResolvers<void>()
      const dns = await startDnsServer(async (query) => {
        if (!isDead(query)) return ['127.0.0.1']
        await end
        return 'refused'
      })
      opened.push(dns.close, release)
      // The cache never expires, so each name is looked up once, however long the test takes.
      const patient = { answerWithinMs: 100_000, lookUpWithinMs: 100_000, nowMs: () => 0 }
      const resolver = hostResolver({ servers: [dns.address], ...patient })
      const world = await webhookWorld(store)
      opened.push(world.close)
      const [deadOrg, healthyOrg] = [await world.addOrganization(), await world.addOrganization()]
      const dead: string[] = []
      for (let at = 0; at < 50; at += 1) {
        const url = `https://dead-${at}.test/`
        dead.push((await world.addEndpoint(deadOrg, { url, objects: ['LOGIN'] })).webhook.id)
      }
      const certificate = await makeSelfSigned(['healthy-0.test', 'healthy-1.test'], Date.now())
      const receivers = [
        await startReceiver(acknowledge, certificate),
        await startReceiver(acknowledge, certificate),
      ]
      for (const [at, { port, close }] of receivers.entries()) {
        opened.push(close)
        const url = `https://healthy-${at}.test:${port}/`
        await world.addEndpoint(healthyOrg, { url, objects: ['LOGIN'] })
      }
      const deliverer = world.deliver({}, { resolver, ca: [certificate.cert] })
      await world.emit(deadOrg, 8)
      await until('look-ups of all dead names', () => dns.queries.filter(isDead).length >= 2 * dead.length)
      await world.emit(healthyOrg, 20)
      await until('delivery to the healthy', () => receivers.every(({ requests }) => requests.length === 20))
      expect(dns.queries.filter(isDead)).toHaveLength(2 * dead.length)
      // Still unresolved, and an unsent request is not counted as an attempt.
      await deliverer.stop()
      const tried = await world.db.all('SELECT DISTINCT webhook_id FROM webhook_attempts')
      expect(tried).toHaveLength(receivers.length)
      expect(await world.states(dead[0] ?? '')).toEqual({ PENDING: 8 })
    })
  })
}

test('SIGTERM ends a server within 10 s during lookups of names that no server answers', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-dead-names-'))
  opened.push(() => rmSync(folder, { recursive: true, force: true }))
  // The DNS server first refuses, so the system resolver is asked as well, and then stays silent.
  const asked = new Set<string>()
  const answer = ({ name, type }: DnsQuery) => {
    const known = asked.has(`${name} ${type}`)
    asked.add(`${name} ${type}`)
    return known ? 'silent' : 'refused'
  }
  const dns = await startDnsServer(answer, { host: '127.77.0.1', port: 53 })
  opened.push(dns.close)
  const conf = join(folder, 'resolv.conf')
  writeFileSync(conf, 'nameserver 127.77.0.1\n')
  const view = privateView()
  if (view === undefined) throw new Error('a name server for one process needs root, or user namespaces')
  const inView = ['/bin/sh', '-c', `mount --bind "$0" /etc/resolv.conf && exec "$@"`, conf]

  const settings = { MUSTER_DATA: join(folder, 'data'), MUSTER_WEBHOOKS_ALLOW_PRIVATE: 'true' }
  const { key } = await createKey(settings, 'ada@example.com')
  const adding = Array.from({ length: 5 }, (_, at) =>
    runMuster(
      ['webhooks', 'add', '--url', `https://dead-${at}.example.test/`, '--objects', 'EMPLOYEE_ADDED'],
      settings,
    ),
  )
  for (const { code, stderr } of await Promise.all(adding))
    expect([code, stderr]).toEqual([0, expect.any(String)])
  const server = await startMuster(settings, undefined, [...view.split(' '), ...inView])
  opened.push(server.kill)
  const created = await fetch(`${server.address}/v1/employees`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'grace@example.com' }),
  })
  expect(created.status).toBe(200)
  const byName = () => Map.groupBy(dns.queries.filter(isDead), ({ name }) => name)
  await until('look-up by the system', () => [...byName().values()].some(({ length }) => length > 2))
  const beganMs = performance.now()
  expect(await server.stop()).toBe(0)
  expect(performance.now() - beganMs).toBeLessThan(10_000)
})
