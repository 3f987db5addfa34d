import { asDetectionEmployee, type Detection } from '@muster/contract/records/detection'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aDetection, aFinding } from '../../test/support/fixtures.ts'
import { until } from '../../test/support/until.ts'
import { axeFaults } from '../src/axe-faults.ts'
import { consoleRecords } from '../src/console-records.ts'
import { type ConsoleWorld, consoleWorld } from '../src/console-world.ts'
import { openAsOwner, settle, widthBeyond } from '../src/page-watch.ts'

/** Three people on a phishing site, and one person with two kinds of detections on another site. */

const nowSeconds = Math.floor(Date.now() / 1000)
/** All in one calendar week, whenever the test runs. */
const week = 7 * 86_400
const monday = Math.floor((nowSeconds - 4 * 86_400) / week) * week + 4 * 86_400 - week

function records() {
  const employees = consoleRecords().employees.slice(0, 3)
  const [first] = employees
  const detection = (at: number, members: Partial<Detection>): Detection =>
    aDetection({
      browserId: null,
      appId: null,
      appType: null,
      archived: false,
      detectionType: 'PHISHING',
      creationTimestamp: monday + at,
      lastActivityTimestamp: monday + at,
      ...members,
    })
  const detections = [
    ...employees.map((employee, at) =>
      detection(3600 + at, {
        employeeId: employee.id,
        employee: asDetectionEmployee(employee),
        url: `https://login.n0rthgate.example/${at}`,
      }),
    ),
    ...(['PHISHING', 'MALWARE_DELIVERY'] as const).map((detectionType, at) =>
      detection(7200 + at * 60, {
        detectionType,
        employeeId: first?.id ?? '',
        ...(first && { employee: asDetectionEmployee(first) }),
        url: 'https://fix-your-browser.example/',
      }),
    ),
  ]
  const finding = aFinding({
    state: 'OPEN',
    accountId: null,
    appId: null,
    appType: null,
    type: 'WEAK_PASSWORD',
    weakPasswordReasons: ['TOO_SHORT'],
    employeeId: first?.id ?? null,
    creationTimestamp: nowSeconds - 86_400,
  })
  return { employees, detections, findings: [finding] }
}

let world: ConsoleWorld
let page: Page

beforeAll(async () => {
  world = await consoleWorld('sqlite', records())
  page = await openAsOwner(world)
})
afterAll(() => world.stop())

const button = (name: string) => page.getByRole('button', { name, exact: true })
const inDialog = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true })
const openList = async (query = '') => {
  await page.goto(`${world.address}/console/incidents${query}`)
  await settle(page)
}
const campaign = 'Phishing on n0rthgate.example: 3 people'

test('detections that belong together are one row, which opens their timeline', async () => {
  await until('detections are grouped', async () => {
    await openList()
    return (await page.locator('.grid-row:not(.waiting)').count()) === 2
  })
  expect(await page.locator('.grid-row').allInnerTexts()).toEqual([
    expect.stringContaining('Phishing, malware delivery on fix-your-browser.example'),
    expect.stringContaining(campaign),
  ])
  await page.getByRole('link', { name: campaign }).click()
  await page.getByRole('heading', { name: campaign }).waitFor()
  await page.getByRole('heading', { name: 'Timeline' }).waitFor()
  await page.locator('.facts a').first().click()
  await page.locator('.page-head [role=status]').getByText('3 detections', { exact: true }).waitFor()
  await page.locator('.grid-row .first a').first().click()
  await page.getByRole('link', { name: campaign }).click()
  await page.getByRole('heading', { name: campaign }).waitFor()
})

test('an incident is assigned, commented and closed with all its detections', async () => {
  await openList()
  await page.getByRole('link', { name: campaign }).click()
  await button('Assign').click()
  await page.getByRole('dialog').getByLabel('Assignee').selectOption({ label: 'Ada Byron' })
  await inDialog('Assign').click()
  await page.getByText('Ada Byron assigned 3 detections to Ada Byron').waitFor()
  await button('Add note').click()
  await page.getByRole('dialog').getByLabel('Note').fill('Told everybody in the chat.')
  await inDialog('Add note').click()
  await page.getByText('Ada Byron added a note to 3 detections').waitFor()
  await page.getByText('Told everybody in the chat.').waitFor()
  await button('Close incident').click()
  await page.getByRole('dialog').getByLabel('Classification').selectOption({ label: 'True positive' })
  expect(await axeFaults(page)).toEqual([])
  await inDialog('Close incident').click()
  await button('Reopen incident').waitFor()
  await openList()
  expect(await page.locator('.grid-row').count()).toBe(1)
  await openList('?status=CLOSED')
  expect(await page.locator('.grid-row').innerText()).toContain(campaign)
  await openList()
})

test('the pages of incidents pass accessibility checks in light, dark and on a phone', async () => {
  const faults: string[] = []
  const check = async () => {
    await settle(page)
    faults.push(...(await axeFaults(page)))
    await page.emulateMedia({ colorScheme: 'dark' })
    faults.push(...(await axeFaults(page, 'colors')))
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await widthBeyond(page)).toBeLessThanOrEqual(0)
  }
  await openList('?status=any')
  await check()
  await page.getByRole('link', { name: campaign }).click()
  await page.getByRole('heading', { name: 'Timeline' }).waitFor()
  await check()
  await page.setViewportSize({ width: 390, height: 844 })
  await check()
  await page.setViewportSize({ width: 1440, height: 900 })
  expect(faults).toEqual([])
})

test('the text of the e-mail to employees is edited with a preview, saved and reset', async () => {
  await page.goto(`${world.address}/console/findings`)
  await settle(page)
  await page.locator('.grid-row .first a').first().click()
  await page.getByRole('button', { name: /^Ask / }).click()
  await inDialog('Edit text…').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Text', { exact: true }).fill('Dear {firstName}')
  await inDialog('Preview').click()
  await dialog.getByText('must not have the placeholder {firstName}').first().waitFor()
  await dialog.getByLabel('Text', { exact: true }).fill('Dear {name}\n\n{findings}\n\nYour helpdesk')
  await inDialog('Preview').click()
  await dialog.getByLabel('Preview of the e-mail').getByText('Your password for this account').waitFor()
  expect(await axeFaults(page)).toEqual([])
  await inDialog('Save').click()
  await dialog.getByLabel('Text of the e-mail').getByText('Your helpdesk').waitFor()
  await inDialog('Edit text…').click()
  await inDialog('Reset to default').click()
  await dialog.getByText('Some accounts that you use at work need your attention').waitFor()
  await page.keyboard.press('Escape')
  expect(world.complaints).toEqual([])
})
