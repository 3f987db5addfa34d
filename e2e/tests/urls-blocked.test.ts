import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { until } from '../../test/support/until.ts'
import type { AgentBrowser } from '../src/agent-browser.ts'
import { connectedBrowser } from '../src/connect.ts'
import type { ApiRecord } from '../src/muster-service.ts'
import { quickHeartbeat } from '../src/policy-arrives.ts'
import { reportedEvents } from '../src/reported-events.ts'
import { inWorld } from '../src/world.ts'

/** Maximum time until a new block applies in an open browser. */
const withinMs = 30_000
const host = 'wiki.acme-works.example'
const framedHost = 'one.copperworks.example'

inWorld(
  'a blocked URL',
  (world) => {
    let browser: AgentBrowser
    let record: ApiRecord
    const blocked = (page: Page) => page.url().startsWith(`chrome-extension://${world.agentId}/block.html`)
    const requestsOf = (host: string, path: string) =>
      world.web.requests.filter((request) => request.host === host && request.target === path)
    const detectionOf = (url: string) =>
      world.muster.waitFor(
        '/v1/detections?detectionType=BLOCKED_URL',
        (detection) => detection.url === url,
        `detection of ${url}`,
      )

    beforeAll(async () => {
      ;({ browser, record } = await connectedBrowser(world, 'ada@acme-works.example'))
    })

    test('blocks open tabs, new tabs, and frames of other pages, until it is removed', async () => {
      const page = await browser.open(`https://${host}/handbook`)
      for (const url of [host, `https://${framedHost}/inside*`])
        await world.muster.call('POST', '/v1/controls/blockedUrls', { url })
      await until('block page in the open tab', () => blocked(page), withinMs)
      await page.getByText(host).first().waitFor()
      const first = await detectionOf(`https://${host}/handbook`)
      expect(first).toMatchObject({
        severity: 'LOW',
        response: 'BLOCKED',
        browserId: record.id,
        employee: { email: 'ada@acme-works.example' },
        sourceIpAddress: '192.0.2.44',
        userAgent: expect.stringContaining('Mozilla/5.0'),
      })

      const tab = await browser.context.newPage()
      await tab.goto(`https://${host}/new?token=hidden#part`).catch(() => undefined)
      await until('block page in a new tab', () => blocked(tab))
      expect(requestsOf(host, '/new?token=hidden')).toEqual([])

      const inside = `https://${framedHost}/inside`
      await tab.goto(
        `https://portal.brassworks.example/framed?frame=https://${framedHost}/free&frame=${inside}/1`,
      )
      await until('frame that is free', () => requestsOf(framedHost, '/free').length === 1)
      expect(await detectionOf(`${inside}/1`)).toMatchObject({ severity: 'LOW', response: 'BLOCKED' })
      expect(requestsOf(framedHost, '/inside/1')).toEqual([])

      // Visits of one pattern within an hour are one detection; reports contain no query.
      await until('report of the new tab', () =>
        reportedEvents(world, 'BLOCKED_URL_VISITED').some(({ url }) => url === `https://${host}/new`),
      )
      expect(await world.muster.list('/v1/detections')).toHaveLength(2)

      // Blocking works without Muster, and after a restart.
      await world.line.cut()
      await browser.close()
      browser = await world.launch()
      const offline = await browser.context.newPage()
      await offline.goto(`https://${host}/offline`).catch(() => undefined)
      await until('block page while Muster is away', () => blocked(offline))
      expect(requestsOf(host, '/offline')).toEqual([])
      await world.line.restore()

      expect(await world.muster.call('DELETE', '/v1/controls/blockedUrls')).toEqual({ count: 2 })
      await until('page that loads again', async () => {
        await offline.goto(`https://${host}/again`).catch(() => undefined)
        return (await offline.title()) === `${host} /again`
      })
    })
  },
  quickHeartbeat,
)
