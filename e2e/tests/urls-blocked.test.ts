import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { until } from '../../test/support/until.ts'
import type { AgentBrowser } from '../src/agent-browser.ts'
import { connectedBrowser } from '../src/connect.ts'
import type { ApiRecord } from '../src/muster-service.ts'
import { quickHeartbeat } from '../src/policy-arrives.ts'
import { inWorld } from '../src/world.ts'

/** How soon what an administrator blocks has to be blocked in a browser that is open. */
const withinMs = 10_000
const host = 'wiki.acme-works.com'

inWorld(
  'a blocked URL',
  (world) => {
    let browser: AgentBrowser
    let record: ApiRecord
    const blocked = (page: Page) => page.url().startsWith(`chrome-extension://${world.agentId}/block.html`)
    const requestsOf = (path: string) =>
      world.web.requests.filter((request) => request.host === host && request.target === path)

    beforeAll(async () => {
      ;({ browser, record } = await connectedBrowser(world, 'ada@acme-works.com'))
    }, 60_000)

    test('stops tabs that are open on it, new ones, and frames of other pages, until it is taken back', async () => {
      const page = await browser.open(`https://${host}/handbook`)
      const { id } = await world.muster.call('POST', '/v1/controls/blockedUrls', { url: host })
      await until('block page in the open tab', () => blocked(page), withinMs)
      await page.getByText(host).first().waitFor()

      const tab = await browser.context.newPage()
      await tab.goto(`https://${host}/new?token=hidden#part`).catch(() => undefined)
      await until('block page in a new tab', () => blocked(tab))
      expect(requestsOf('/new?token=hidden')).toEqual([])

      await tab.goto(`https://portal.brassworks.io/framed?frame=https://${host}/inside`)
      await tab.locator('iframe').waitFor({ state: 'attached' })
      expect(requestsOf('/inside')).toEqual([])

      for (const path of ['/handbook', '/new', '/inside']) {
        const detection = await world.muster.waitFor(
          '/v1/detections?detectionType=BLOCKED_URL',
          ({ url }) => url === `https://${host}${path}`,
          `detection of ${path}`,
        )
        expect(detection).toMatchObject({
          severity: 'LOW',
          response: 'BLOCKED',
          browserId: record.id,
          employee: { email: 'ada@acme-works.com' },
          sourceIpAddress: '192.0.2.44',
          userAgent: expect.stringContaining('Mozilla/5.0'),
        })
      }

      // Also without Muster, and after a restart.
      await world.line.cut()
      await browser.close()
      browser = await world.launch()
      const offline = await browser.context.newPage()
      await offline.goto(`https://${host}/offline`).catch(() => undefined)
      await until('block page while Muster is away', () => blocked(offline))
      expect(requestsOf('/offline')).toEqual([])
      await world.line.mend()

      expect(id).toEqual(expect.any(String))
      expect(await world.muster.call('DELETE', '/v1/controls/blockedUrls')).toEqual({ count: 1 })
      await until('page that loads again', async () => {
        await offline.goto(`https://${host}/again`).catch(() => undefined)
        return (await offline.title()) === `${host} /again`
      })
    })
  },
  quickHeartbeat,
)
