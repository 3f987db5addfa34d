import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aDetection, aFinding } from '../../test/support/fixtures.ts'
import { until } from '../../test/support/until.ts'
import { axeFaults } from '../src/axe-faults.ts'
import { type ConsoleWorld, consoleWorld } from '../src/console-world.ts'
import {
  heightBeyond,
  openAsOwner,
  settle,
  type Watched,
  watchedOf,
  watchPage,
  widthBeyond,
} from '../src/page-watch.ts'

/**
 * All pages of the console's router, so new pages are covered automatically. The look of a page does not depend on the
 * store, so one is enough.
 */
const router = readFileSync(new URL('../../console/src/router.tsx', import.meta.url), 'utf8')
const paths = [...router.matchAll(/^ {2}page\(\s*'(\/[^']*)'/gm)].map(([, path]) => String(path))

const open = aFinding({ state: 'OPEN' })
const resolved = aFinding({ state: 'RESOLVED', employeeId: open.employeeId })

let world: ConsoleWorld
let page: Page

beforeAll(async () => {
  const streams = { MUSTER_EVENTS_SYSLOG_URL: 'tcp://127.0.0.1:9' }
  // A small workforce may have no detections or findings.
  const more = {
    detections: [aDetection({ archived: false })],
    findings: [open, resolved],
  }
  world = await consoleWorld('sqlite', { workforce: 12, days: 10, more }, streams)
  page = await openAsOwner(world, { width: 1440, height: 600 })
  const added = await page.request.post(`${world.address}/console/api/webhooks`, {
    headers: { 'x-muster-console': '1', origin: world.address },
    data: { url: 'https://siem.example.com/muster', objects: ['LOGIN'] },
  })
  expect(added.status()).toBe(200)
})
afterAll(() => world.stop())

/** Pages with links to pages whose own path has no list. */
const linkedFrom: Readonly<Record<string, string>> = { '/console/reports': '/console/trends' }

/** Returns the URL of a page. For a record page it is the first link of its list. */
async function addressOf(path: string): Promise<string> {
  if (!path.endsWith('/$id')) return `${world.address}/console${path}`
  const list = `/console${path.slice(0, -'/$id'.length)}`
  await page.goto(`${world.address}${linkedFrom[list] ?? list}`)
  const link = page.locator(`#main a[href^="${list}/"]`).first()
  return `${world.address}${await link.getAttribute('href')}`
}

/**
 * Loads a page up to six times while its layout shifts: a busy machine may split one paint into two once, but a layout bug
 * shifts each time.
 */
async function leastMoved(address: string, times = 6): Promise<Watched> {
  await page.goto(address)
  await settle(page)
  const watched = await watchedOf(page)
  return watched.shift === 0 || times === 1 ? watched : leastMoved(address, times - 1)
}

const phoneWidth = 360
const widths = [phoneWidth, 2560] as const

test('every page passes accessibility checks, fits any window and does not shift', async () => {
  const faults: string[] = []
  expect(paths.length).toBeGreaterThan(30)
  for (const path of paths) {
    const note = (what: string, found: readonly string[]) =>
      faults.push(...found.map((fault) => `${path} ${what}: ${fault}`))
    await page.setViewportSize({ width: 1440, height: 600 })
    await page.emulateMedia({ colorScheme: 'light' })
    const { early, shift, moved } = await leastMoved(await addressOf(path))
    // Content that arrives after the page is shown may shift it.
    if (shift > 0 && !early) note(`moved by ${shift.toFixed(4)}`, moved)
    note('light', await axeFaults(page))
    await page.emulateMedia({ colorScheme: 'dark' })
    note('dark', await axeFaults(page, 'colors'))
    for (const width of widths) {
      await page.setViewportSize({ width, height: 600 })
      await settle(page)
      const beyond = await widthBeyond(page)
      if (beyond > 0) note(`${width}`, [`${beyond} pixels beyond`])
      const below = await heightBeyond(page)
      if (below > 0) note(`${width}`, [`the document scrolls by ${below} pixels`])
      if (width === phoneWidth) note('phone', await axeFaults(page))
    }
  }
  expect(faults).toEqual([])
}, 900_000)

test('the first page loads less than 250 KiB of compressed scripts', async () => {
  const fresh = await world.open({ storageState: await page.context().storageState() })
  await watchPage(fresh)
  await fresh.goto(`${world.address}/console/`)
  await settle(fresh)
  const bytes = (await fresh.evaluate(`performance.getEntriesByType('resource')
    .filter(({ name }) => name.endsWith('.js'))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`)) as number
  await fresh.context().close()
  expect(bytes).toBeGreaterThan(10_000)
  expect(bytes).toBeLessThan(250 * 1024)
})

const withoutLists = ['/keys', '/keys/one', '/webhooks', '/administrators', '/settings']

test('a page reports missing data and shows it after a retry', async () => {
  const patient = await world.open({ storageState: await page.context().storageState() })
  const calls = (url: URL) => url.pathname.startsWith('/console/api/') && !url.pathname.endsWith('/session')
  const body = JSON.stringify({ code: 'rate_limited', detail: 'Too many requests.' })
  const said: string[] = []
  for (const path of withoutLists) {
    await patient.route(calls, (route) =>
      route.fulfill({ status: 429, contentType: 'application/problem+json', body }),
    )
    await patient.goto(`${world.address}/console${path}`)
    const alert = patient.locator('#main').getByRole('alert')
    said.push(await alert.locator('span').innerText())
    await patient.unroute(calls)
    await alert.getByRole('button', { name: 'Try again' }).click()
    await alert.waitFor({ state: 'detached' })
  }
  // A page must not report unknown data as none.
  const unknown = (url: URL) => url.pathname.endsWith('/requests')
  await patient.route(unknown, (route) =>
    route.fulfill({ status: 429, contentType: 'application/problem+json', body }),
  )
  await patient.goto(await addressOf('/keys/$id'))
  await patient.locator('#main').getByRole('alert').waitFor()
  await patient.getByRole('heading', { name: 'About' }).waitFor()
  const titles = await patient.locator('#main .card h2').allInnerTexts()
  const none = await patient.getByText('No requests with this key').count()
  await patient.context().close()
  expect({ titles, none }).toEqual({ titles: ['Requests in the last 30 days', 'About'], none: 0 })
  expect(said).toEqual(withoutLists.map(() => 'Some data could not be loaded: Too many requests.'))
})

test('weeks of the overview are UTC weeks in every time zone', async () => {
  const zone = { timezoneId: 'America/New_York' }
  const abroad = await world.open({ storageState: await page.context().storageState(), ...zone })
  await abroad.goto(`${world.address}/console/`)
  const column = abroad.locator('a[aria-label*="week of"][tabindex="0"]').first()
  const [, day] = /week of (.+):/.exec((await column.getAttribute('aria-label')) ?? '') ?? []
  expect(new Date(`${day} UTC`).toUTCString()).toMatch(/^Mon, /)
  // The chart may be rendered again between the focus and the key press.
  await until('list of the week', async () => {
    if (new URL(abroad.url()).searchParams.has('creationTimestampAfter')) return true
    await column.press('Enter', { timeout: 2_000 })
    return false
  })
  const chips = abroad.getByRole('list', { name: 'Active filters' })
  // Midnight UTC.
  await chips.getByText(/^Added after: .+, (19|20):00:00 GMT-[45]$/).waitFor()
  await chips.getByText(/^Added before: .+, (19|20):00:00 GMT-[45]$/).waitFor()
  await abroad.context().close()
})

test('a finding shows the count of other findings of the person', async () => {
  const others = page.getByRole('heading', { name: /^Other findings of this person · / })
  const counts: string[] = []
  for (const { id } of [open, resolved]) {
    await page.goto(`${world.address}/console/findings/${id}`)
    counts.push((await others.innerText()).replace(/.* · /, ''))
  }
  expect(counts).toEqual(['0', '1'])
})

test('the sign-in passes accessibility checks', async () => {
  const stranger = await world.open({ reducedMotion: 'reduce', bypassCSP: true })
  await watchPage(stranger)
  await stranger.goto(`${world.address}/console/`)
  await stranger.getByRole('heading', { name: 'Sign in' }).waitFor()
  const faults = await axeFaults(stranger)
  await stranger.emulateMedia({ colorScheme: 'dark' })
  faults.push(...(await axeFaults(stranger, 'colors')))
  await stranger.context().close()
  expect(faults).toEqual([])
})

test('there were no script errors', () => {
  expect(world.complaints).toEqual([])
})
