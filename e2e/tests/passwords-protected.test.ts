import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { until } from '../../test/support/until.ts'
import type { AgentBrowser } from '../src/agent-browser.ts'
import { allText, pressInClosedRoot } from '../src/closed-roots.ts'
import { connectedBrowser } from '../src/connect.ts'
import type { ApiRecord } from '../src/muster-service.ts'
import { quickHeartbeat, setMode } from '../src/policy-arrives.ts'
import { findTraces, tracesOf } from '../src/secret-traces.ts'
import { enterPassword, signInByTwoSteps } from '../src/sign-in.ts'
import { inWorld } from '../src/world.ts'

const trapHosts = {
  MONITOR: 'one.copperworks.example',
  WARN: 'wiki.acme-works.example',
  BLOCK: 'desk.tinworks.example',
} as const

inWorld(
  'the password of an identity provider on another site',
  (world) => {
    let browser: AgentBrowser
    let page: Page
    const password = 'Guarded-Citadel-64-Raven'

    beforeAll(async () => {
      world.secret(password)
      ;({ browser } = await connectedBrowser(world, 'ada@acme-works.example'))
      page = await browser.context.newPage()
      await signInByTwoSteps(page, { host: 'accounts.google.com', email: 'ada@acme-works.example', password })
      await world.muster.waitFor('/v1/accounts?appType=GOOGLE_WORKSPACE', () => true, 'account at Google')
    })

    const protect = (mode: 'MONITOR' | 'WARN' | 'BLOCK') =>
      setMode(world, browser, 'protectedPasswords', mode)
    const trap = async (host: string): Promise<void> => {
      await page.goto(`https://${host}/raffle`)
      await page.getByLabel('Your e-mail').fill('ada@acme-works.example')
      await enterPassword(page, 'Choose a password', password)
    }
    const detectionAt = (host: string, wanted: Partial<ApiRecord>): Promise<ApiRecord> =>
      world.muster.waitFor(
        '/v1/detections?detectionType=PHISHING',
        (record) =>
          record.url === `https://${host}/raffle` &&
          Object.entries(wanted).every(([member, value]) => record[member] === value),
        `detection ${JSON.stringify(wanted)} at ${host}`,
      )
    const given = (host: string) =>
      world.web.requests.filter((request) => request.host === host && request.target === '/collect')

    test('MONITOR: is detected as HIGH, and CRITICAL once submitted', async () => {
      await protect('MONITOR')
      await trap(trapHosts.MONITOR)
      const seen = await detectionAt(trapHosts.MONITOR, { severity: 'HIGH', response: 'MONITORED' })
      await page.getByRole('button', { name: 'Take part' }).click()
      const entered = await detectionAt(trapHosts.MONITOR, { severity: 'CRITICAL', response: 'MONITORED' })
      expect(entered.id).toBe(seen.id)
      await until('request of the page', () => given(trapHosts.MONITOR).length > 0)
      expect(given(trapHosts.MONITOR)).toHaveLength(1)
    })

    test('is CRITICAL even on a page opened before the password was known', async () => {
      const host = 'two.copperworks.example'
      await protect('WARN')
      const trapped = await browser.open(`https://${host}/raffle`)
      await trapped.getByLabel('Your e-mail').pressSequentially('ada@acme-works.example')
      const changed = world.secret('Changed-Rampart-91-Nightingale')
      const email = 'changed@acme-works.example'
      await page.context().clearCookies()
      await signInByTwoSteps(page, { host: 'accounts.google.com', email, password: changed })
      await world.muster.waitFor(`/v1/accounts?email=${email}`, () => true, 'account with the new password')
      await trapped.bringToFront()
      await enterPassword(trapped, 'Choose a password', changed, 'pasted')
      await trapped.keyboard.press('Enter')
      const detection = await detectionAt(host, { severity: 'CRITICAL' })
      expect(detection).toMatchObject({ response: 'MONITORED' })
      await until('request of the page', () => given(host).length > 0)
      expect(given(host)).toHaveLength(1)
      await trapped.close()
      await page.bringToFront()
    })

    test('WARN: shows a warning, MEDIUM; the same detection is HIGH after continuing, and CRITICAL once submitted', async () => {
      await protect('WARN')
      await trap(trapHosts.WARN)
      const warned = await detectionAt(trapHosts.WARN, { severity: 'MEDIUM', response: 'EMPLOYEE_WARNED' })
      await pressInClosedRoot(page, /continue|anyway/i)
      const ignored = await detectionAt(trapHosts.WARN, {
        severity: 'HIGH',
        response: 'EMPLOYEE_IGNORED_WARNING',
      })
      await page.getByRole('button', { name: 'Take part' }).click()
      const entered = await detectionAt(trapHosts.WARN, { severity: 'CRITICAL' })
      expect([ignored.id, entered.id]).toEqual([warned.id, warned.id])
    })

    test('BLOCK: is kept from the page, LOW', async () => {
      await protect('BLOCK')
      await trap(trapHosts.BLOCK)
      const detection = await detectionAt(trapHosts.BLOCK, { severity: 'LOW', response: 'BLOCKED' })
      await until('emptied field', async () => (await page.locator('[type=password]').inputValue()) === '')
      expect(await allText(page)).toMatch(/password/i)
      // The page gets nothing, even if it submits its form itself.
      await page.evaluate('document.forms[0].submit()')
      await page.waitForURL('**/collect')
      const sent = given(trapHosts.BLOCK).map(({ body }) => body)
      expect(sent).toMatchObject([expect.stringContaining('secret=')])
      expect(findTraces(sent.join('\n'), tracesOf(password, []))).toEqual([])
      expect(detection).toMatchObject({ employee: { email: 'ada@acme-works.example' } })
    })

    test('is not reported on its own site', async () => {
      const before = await world.muster.list('/v1/detections')
      await page.context().clearCookies()
      await signInByTwoSteps(page, {
        host: 'accounts.google.com',
        email: 'again@acme-works.example',
        password,
      })
      await world.muster.waitFor('/v1/accounts?email=again@', () => true, 'account of the second sign-in')
      expect(await world.muster.list('/v1/detections')).toEqual(before)
    })
  },
  quickHeartbeat,
)
