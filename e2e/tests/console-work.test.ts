import { exampleOf, type JsonSchema } from '@muster/contract/api/json-schema'
import { Finding } from '@muster/contract/records/finding'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../server/src/kernel/lib/secrets/id.ts'
import { axeFaults } from '../src/axe-faults.ts'
import { consoleRecords } from '../src/console-records.ts'
import { type ConsoleWorld, consoleWorld } from '../src/console-world.ts'
import { openAsOwner, settle, widthBeyond } from '../src/page-watch.ts'

/** Work on findings: more than a page of the list shows. */

const nowSeconds = Math.floor(Date.now() / 1000)
const total = 130

function records() {
  const employees = consoleRecords().employees.slice(0, 2)
  const findings = Array.from(
    { length: total },
    (_, at): Finding => ({
      ...(exampleOf(Finding as JsonSchema) as Finding),
      id: newId(nowSeconds * 1000),
      state: 'OPEN',
      accountId: null,
      appId: null,
      appType: null,
      type: at === 0 ? 'WEAK_PASSWORD' : 'MFA_NOT_REGISTERED',
      weakPasswordReasons: at === 0 ? ['TOO_SHORT'] : null,
      employeeId: employees[0]?.id ?? null,
      creationTimestamp: nowSeconds - 86_400,
    }),
  )
  return { employees, findings }
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
const counted = (text: string) =>
  page.locator('.page-head [role=status]').getByText(text, { exact: true }).waitFor()
const openList = async (query = '') => {
  await page.goto(`${world.address}/console/findings${query}`)
  await settle(page)
}

test('all findings that match the filters are snoozed, also those that are not loaded; the number comes first', async () => {
  await openList('?type=MFA_NOT_REGISTERED')
  await counted(`${total - 1} findings`)
  await page.keyboard.press('Shift+X')
  await button('Select all that match').click()
  await button('Snooze').click()
  await page.getByText(`This changes ${total - 1} findings.`).waitFor()
  await inDialog('Snooze').click()
  await page.getByText(`${total - 1} findings snoozed.`).waitFor()
  await openList()
  await counted('1 finding')
  expect(await page.locator('.grid-row').innerText()).toContain('Weak password')
  await openList('?workStatus=SNOOZED')
  await counted(`${total - 1} findings`)
})

test('a finding is assigned to oneself, commented, and found by its assignee', async () => {
  await openList()
  await page.locator('.grid-row .first a').first().click()
  await page.getByRole('heading', { name: 'Work' }).waitFor()
  await button('Assign').click()
  await page.getByRole('dialog').getByLabel('Assignee').selectOption({ label: 'Ada Byron' })
  await inDialog('Assign').click()
  await page.getByText('Ada Byron assigned it to Ada Byron').waitFor()
  await page.getByLabel('Note').fill('She changes it today.')
  await button('Add note').click()
  await page.getByRole('list', { name: 'History' }).getByText('She changes it today.').waitFor()
  await openList('?assignee=ME')
  await counted('1 finding')
  expect(await page.locator('.grid-row').innerText()).toContain('Ada Byron')
})

test('the e-mail to an employee is shown before it is sent', async () => {
  await openList()
  await page.locator('.grid-row .first a').first().click()
  await page.getByRole('button', { name: /^Ask / }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Your password for this account is easy to guess.').waitFor()
  expect(await axeFaults(page)).toEqual([])
  await inDialog('Send e-mail').click()
  await page.getByText('asked the employee by e-mail').waitFor()
  await page.getByRole('button', { name: /^Ask / }).click()
  await dialog.getByText('Already asked in the last 7 days.').waitFor()
  expect(await inDialog('Send e-mail').isDisabled()).toBe(true)
  await page.keyboard.press('Escape')
})

test('the page of a finding passes accessibility checks in light, dark and on a phone', async () => {
  await openList()
  await page.locator('.grid-row .first a').first().click()
  await page.getByRole('heading', { name: 'Work' }).waitFor()
  await settle(page)
  const faults = await axeFaults(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  faults.push(...(await axeFaults(page, 'colors')))
  await page.setViewportSize({ width: 390, height: 844 })
  await settle(page)
  faults.push(...(await axeFaults(page)))
  expect(faults).toEqual([])
  expect(await widthBeyond(page)).toBeLessThanOrEqual(0)
  expect(world.complaints).toEqual([])
})
