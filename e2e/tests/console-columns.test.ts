import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aDetection } from '../../test/support/fixtures.ts'
import { until } from '../../test/support/until.ts'
import { axeFaults } from '../src/axe-faults.ts'
import { card, counted, pressButton, titled, toldOf } from '../src/console-keyboard.ts'
import { type ConsoleWorld, consoleWorld } from '../src/console-world.ts'
import { inventoryRecords } from '../src/inventory-records.ts'

describe('lists and times of the console', () => {
  let world: ConsoleWorld
  let page: Page
  const seconds = Date.UTC(2026, 5, 15, 8, 5, 9) / 1000
  const unarchived = aDetection({
    archived: false,
    creationTimestamp: seconds,
    lastActivityTimestamp: seconds,
  })
  const { employees: known, detections, ...records } = inventoryRecords()
  const [ada, ...others] = known
  const longName = `${'Very long department name '.repeat(4)}end`

  beforeAll(async () => {
    const employees = [{ ...ada, department: longName }, ...others]
    world = await consoleWorld('sqlite', { ...records, employees, detections: [...detections, unarchived] })
    page = await world.open({ timezoneId: 'America/New_York', bypassCSP: true })
    await world.becomeOwner(page)
  })
  afterAll(() => world.stop())

  const openList = async (tab: Page, list: string) => {
    await tab.goto(`${world.address}/console/${list}`)
    await tab.locator('.grid-row:not(.waiting) .first a').first().waitFor()
  }
  const widthOf = async (title: string) =>
    (await page.getByRole('columnheader', { name: title }).boundingBox())?.width ?? 0

  const edgeOf = (title: string) => page.locator(`[role=separator][aria-description="${title}"]`)

  test('column widths change by mouse and keyboard, persist, and can be reset', async () => {
    await openList(page, 'employees')
    const edge = edgeOf('Department')
    const before = await widthOf('Department')
    const box = await edge.boundingBox()
    const [x, y] = [(box?.x ?? 0) + 6, (box?.y ?? 0) + 10]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 60, y, { steps: 3 })
    await page.mouse.up()
    await until('the wider column', async () => Math.abs((await widthOf('Department')) - before - 60) < 3)
    await edgeOf('Name').focus()
    const first = await widthOf('Name')
    await page.keyboard.press('ArrowRight')
    await until('the first column', async () => Math.abs((await widthOf('Name')) - first - 16) < 3)
    await page.reload()
    await until('the same width', async () => Math.abs((await widthOf('Department')) - before - 60) < 3)
    expect(Number(await edge.getAttribute('aria-valuenow'))).toBeCloseTo(before + 60, -1)
    await edge.press('Backspace')
    await until('its own width', async () => (await widthOf('Department')) < before + 50)
  })

  test('keyboard navigation shows the full text of truncated cells', async () => {
    await openList(page, 'employees?search=ada.byron')
    await page.getByRole('grid').focus()
    for (let cell = 0; cell < 5; cell++) await page.keyboard.press('ArrowRight')
    const tip = page.getByRole('tooltip')
    await tip.waitFor()
    expect(await tip.innerText()).toBe(longName)
    expect(await axeFaults(page)).toEqual([])
    await page.keyboard.press('Escape')
    await tip.waitFor({ state: 'detached' })
  })

  test('lists on a phone show times and support sorting and selection', async () => {
    const viewport = { width: 390, height: 844 }
    const phone = await world.open({ storageState: await page.context().storageState(), viewport })
    await openList(phone, 'detections')
    expect(await phone.locator('.grid-row .time time').count()).toBe(await phone.locator('.grid-row').count())
    await pressButton(phone, 'Sort')
    await phone.getByRole('menuitemradio', { name: 'Last seen: oldest first' }).press('Enter')
    await phone.waitForURL('**/detections?sort=lastActivityTimestamp')
    await phone.locator('.grid-row .grid-check').first().check()
    await phone.getByText('1 selected').waitFor()
    await pressButton(phone, 'Select all')
    await pressButton(phone, 'Archive')
    await toldOf(phone, '2 archived.')
    await pressButton(phone, 'Undo')
    await phone.locator('.grid-row .grid-check').nth(1).waitFor()
    await phone.context().close()
  })

  test('times show seconds and the selected time zone everywhere', async () => {
    await page.goto(`${world.address}/console/detections/${unarchived.id}`)
    const seen = card(page, 'What happened').locator('time').first()
    await seen.getByText('15 Jun 2026, 04:05:09 GMT-4').waitFor()
    await pressButton(page, 'Ada Byron Owner')
    await page.getByRole('menuitem', { name: 'Show times in UTC' }).press('Enter')
    await seen.getByText('15 Jun 2026, 08:05:09 UTC').waitFor()
    await openList(page, 'detections')
    const inList = page.locator('.grid-row time[title*="08:05:09"]')
    expect(await inList.getAttribute('title')).toBe('15 Jun 2026, 08:05:09 UTC')
    await page.goto(`${world.address}/console/audit`)
    await page
      .locator('.lines time')
      .first()
      .getByText(/:\d\d:\d\d UTC$/)
      .waitFor()
    await page.goto(`${world.address}/console/employees/${ada?.id}`)
    await card(page, 'Recent activity')
      .getByText(/:\d\d:\d\d UTC$/)
      .first()
      .waitFor()
  })

  test('a preset, a period and a custom range replace each other, and figures lead to their rows', async () => {
    const tool = (name: string) => page.locator('.tools').getByRole('button', { name, exact: true })
    const item = (name: string) => page.getByRole('menuitemradio', { name, exact: true })
    const parameters = () => new URL(page.url()).searchParams
    const after = String(Math.floor(Date.now() / 1000) - 3 * 86_400)
    const range = () => page.getByRole('dialog').getByLabel('Added after').first()
    await page.goto(`${world.address}/console/apps?creationTimestampAfter=${after}`)
    await counted(page, '3 apps')
    await tool('Added').click()
    await item('Custom range…').click()
    await range().waitFor()
    expect(parameters().get('creationTimestampAfter')).toBe(after)
    await page.keyboard.press('Escape')
    await tool('New in the last 30 days').click()
    await page.locator('.chips').getByText('Last 30 days').waitFor()
    expect(parameters().get('creationTimestampAfter')).toBe(null)
    await tool('Added').click()
    await item('Last 24 hours').click()
    await page.locator('.chips').getByText('Last 24 hours').waitFor()
    await tool('Added').click()
    await item('Custom range…').click()
    await range().waitFor()
    expect(parameters().get('createdWithin')).toBe('LAST_24_HOURS')
    await page.goto(`${world.address}/console/apps`)
    const zapier = page.locator('.grid-row', { hasText: 'Zapier' })
    await zapier.getByRole('link', { name: '2', exact: true }).first().click()
    await titled(page, 'Employees')
    await counted(page, '2 employees')
  })

  test('there were no script errors', () => {
    expect(world.complaints).toEqual([])
  })
})
