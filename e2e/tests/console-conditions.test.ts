import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aDetection } from '../../test/support/fixtures.ts'
import { card, pressButton, titled } from '../src/console-keyboard.ts'
import { type ConsoleWorld, consoleWorld, owner } from '../src/console-world.ts'
import { inventoryRecords } from '../src/inventory-records.ts'

const longUrl = `https://login.example.net/${'a'.repeat(1500)}`

describe('the console with unusual connections, sessions and data', () => {
  let world: ConsoleWorld
  let page: Page

  const found = { detectionType: 'PHISHING', archived: false } as const
  const detections = [
    aDetection({ ...found, url: longUrl }),
    aDetection({ ...found, url: "javascript:alert('x')" }),
  ]

  beforeAll(async () => {
    const { detections: known, ...records } = inventoryRecords()
    world = await consoleWorld('sqlite', { ...records, detections: [...known, ...detections] })
    page = await world.open()
    await world.becomeOwner(page)
  })
  afterAll(() => world.stop())

  const at = (path: string) => `${world.address}/console${path}`
  const signIn = async (tab: Page) => {
    await tab.getByLabel('E-mail address').fill(owner.email)
    await tab.getByLabel('Password').fill(owner.password)
    await tab.keyboard.press('Enter')
  }

  test('signing out in one tab clears the others immediately', async () => {
    const other = await page.context().newPage()
    await other.goto(at('/employees'))
    await other.locator('.grid-row .first a').first().waitFor()
    await other.route('**/console/api/**', (route) => route.abort())
    await pressButton(page, 'Ada Byron Owner')
    await page.getByRole('menuitem', { name: 'Sign out' }).press('Enter')
    await titled(other, 'Sign in')
    expect(await other.locator('body').innerText()).not.toContain('example.com')
    expect(await other.getByRole('navigation').count()).toBe(0)
    await other.unrouteAll({ behavior: 'wait' })
    await signIn(page)
    await titled(page, 'Overview')
    // The other tab follows.
    await titled(other, 'Employees')
    await other.close()
  })

  test('an idle timeout covers every tab with the sign-in', async () => {
    const idle = await world.open()
    await idle.clock.install()
    const second = await idle.context().newPage()
    await second.clock.install()
    await idle.goto(at('/keys'))
    await signIn(idle)
    await titled(idle, 'API keys')
    await second.goto(at('/employees'))
    await titled(second, 'Employees')
    await idle.context().clearCookies()
    await idle.clock.fastForward('01:01:00')
    await idle.locator('.sign-in-again').waitFor()
    await second.clock.fastForward('01:01:00')
    await second.locator('.sign-in-again').waitFor()
    expect(await idle.getByRole('dialog', { name: 'Sign in' }).count()).toBe(1)
    await idle.context().close()
  })

  test('a slow connection paints early and loads few files', async () => {
    const slow = await world.open({ storageState: await page.context().storageState() })
    const devtools = await slow.context().newCDPSession(slow)
    const line = { latency: 500, downloadThroughput: 51_200, uploadThroughput: 51_200 }
    await devtools.send('Network.emulateNetworkConditions', { offline: false, ...line })
    const opened = slow.goto(at('/keys'))
    await slow.getByText('Loading Muster…').waitFor()
    await opened
    await titled(slow, 'API keys')
    const paint = await slow.evaluate(`performance.getEntriesByName('first-contentful-paint')[0].startTime`)
    const files = await slow.evaluate(`performance.getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.js')).length`)
    await slow.context().close()
    // Without optimization it took several seconds and 30 sequential files.
    expect(paint).toBeLessThan(2000)
    expect(files).toBeLessThan(16)
  })

  test('a page that failed to load while offline loads when the network is back', async () => {
    const offline = await world.open({ storageState: await page.context().storageState() })
    await offline.goto(at('/employees'))
    await titled(offline, 'Employees')
    await offline.context().setOffline(true)
    await offline.getByRole('link', { name: 'Settings' }).press('Enter')
    await titled(offline, 'You are offline')
    expect(await offline.getByRole('link', { name: 'Employees' }).count()).toBe(1)
    await offline.context().setOffline(false)
    await titled(offline, 'Settings')
    await offline.context().close()
  })

  test('unknown filters are listed and can be removed', async () => {
    for (const path of ['/employees', '/audit']) {
      await page.goto(at(`${path}?color=red&size=9&search=ada`))
      await page.getByRole('alert').getByText('“color”, “size”').waitFor()
      await pressButton(page, 'Remove unknown filters')
      await page.getByRole('alert').waitFor({ state: 'detached' })
      expect(new URL(page.url()).search).toBe('?search=ada')
    }
  })

  test('a missing record has a heading', async () => {
    await page.goto(at('/employees/00000000-0000-7000-8000-000000000000'))
    await titled(page, 'Record not found')
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
  })

  test('long addresses are collapsed, and only web addresses can be blocked', async () => {
    const [long, script] = detections
    await page.goto(at(`/detections/${long?.id}`))
    const address = card(page, 'What happened').locator('.copy-text').first()
    const height = async () => (await address.boundingBox())?.height ?? 0
    const cutOff = await height()
    await pressButton(page, `Show all ${longUrl.length.toLocaleString('en-GB')} characters`)
    await page.getByRole('button', { name: 'Show less' }).waitFor()
    expect(cutOff).toBeLessThan(120)
    expect(await height()).toBeGreaterThan(cutOff * 2)
    await page.getByRole('button', { name: 'Block login.example.net' }).waitFor()
    await page.goto(at(`/detections/${script?.id}`))
    await card(page, 'What to do').waitFor()
    expect(await page.getByRole('button', { name: /^Block/ }).count()).toBe(0)
  })

  test('facts are never empty', async () => {
    await page.goto(at('/apps-other'))
    await page.locator('.grid-row .first a').first().press('Enter')
    await card(page, 'About').waitFor()
    expect(await card(page, 'About').locator('dd').allInnerTexts()).not.toContain('')
  })

  test('there were no script errors', () => {
    expect(world.complaints).toEqual([])
  })
})
