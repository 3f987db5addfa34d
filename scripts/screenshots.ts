// `npm run screenshots`: takes the screenshots of the guide, docs/guide/images/*.png, with demo data in the current build of the
// console.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { type ConsoleWorld, consoleWorld } from '../e2e/src/console-world.ts'
import { settle, watchPage } from '../e2e/src/page-watch.ts'
import { smallerPng } from './smaller-png.ts'

const folder = join(dirname(import.meta.dirname), 'docs', 'guide', 'images')
const bytesMaximum = 200 * 1024

/** Screenshot: name, page, and the steps to the shown state. */
interface Picture {
  readonly name: string
  readonly path: string
  readonly open?: (page: Page) => Promise<void>
  readonly schemes: readonly ('light' | 'dark')[]
}

/** Follows a link to the page of a record and waits for its breadcrumb. */
async function follow(page: Page, link: Locator, list: string): Promise<void> {
  await link.click()
  await page.getByRole('main').getByRole('link', { name: list, exact: true }).waitFor()
  await settle(page)
}
const openDetection = async (page: Page) => {
  const row = page.locator('.grid-row:not(.waiting)').first()
  await follow(page, row.locator('.first a'), 'Detections')
}
const openEmployee = async (page: Page) => {
  await openDetection(page)
  await follow(page, page.locator('.facts a').first(), 'Employees')
}

/** Waits for the first row: extensions are counted when the list is first opened. */
const firstRow = async (page: Page) => {
  await page.locator('.grid-row:not(.waiting)').first().waitFor()
  await settle(page)
}

const both = ['light', 'dark'] as const

/** Detections with much to show. They need not be on the first page of the list. */
const malware = '/detections?detectionType=MALWARE_DELIVERY&archived=any'
const pictures: readonly Picture[] = [
  { name: 'overview', path: '/', schemes: both },
  { name: 'detections', path: '/detections', schemes: both },
  { name: 'detection', path: malware, open: openDetection, schemes: both },
  { name: 'employee', path: malware, open: openEmployee, schemes: both },
  { name: 'controls', path: '/controls/protections', schemes: both },
  { name: 'extensions', path: '/extensions', open: firstRow, schemes: ['light'] },
]

async function take(page: Page, { address }: ConsoleWorld, picture: Picture): Promise<void> {
  const { name, path, open, schemes } = picture
  await page.goto(`${address}/console${path}`)
  await settle(page)
  await open?.(page)
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme })
    const bytes = smallerPng(await page.screenshot())
    if (bytes.length > bytesMaximum) throw new Error(`${name}: ${bytes.length} bytes are too many`)
    writeFileSync(join(folder, `${name}-${colorScheme}.png`), bytes)
    console.log(`${name}-${colorScheme}.png: ${Math.ceil(bytes.length / 1024)} KiB`)
  }
}

const world = await consoleWorld('sqlite', { workforce: 160, days: 80 })
try {
  mkdirSync(folder, { recursive: true })
  const page = await world.open({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  await watchPage(page)
  await world.becomeOwner(page)
  await page.request.patch(`${world.address}/console/api/settings/organization`, {
    headers: { 'x-muster-console': '1', origin: world.address },
    data: { name: 'Northgate' },
  })
  await page.request.post(`${world.address}/console/api/first-steps/dismiss`, {
    headers: { 'x-muster-console': '1', origin: world.address },
  })
  for (const picture of pictures) await take(page, world, picture)
} finally {
  await world.stop()
}
