import { exampleOf, type JsonSchema } from '@muster/contract/api/json-schema'
import { Account } from '@muster/contract/records/account'
import { AccountOther } from '@muster/contract/records/account-other'
import { App } from '@muster/contract/records/app'
import { AppOther } from '@muster/contract/records/app-other'
import { Finding } from '@muster/contract/records/finding'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '../../server/src/kernel/lib/secrets/id.ts'
import { axeFaults } from '../src/axe-faults.ts'
import { counted, titled } from '../src/console-keyboard.ts'
import { consoleRecords } from '../src/console-records.ts'
import { type ConsoleWorld, consoleWorld } from '../src/console-world.ts'
import { openAsOwner, settle, widthBeyond } from '../src/page-watch.ts'

/** Tasks of an administrator, with the number of clicks that they take from the overview. */

const nowSeconds = Math.floor(Date.now() / 1000)

const madeOf = <T>(schema: unknown, members: Partial<T>): T => ({
  ...(exampleOf(schema as JsonSchema) as T),
  id: newId(nowSeconds * 1000),
  creationTimestamp: nowSeconds - 86_400,
  ...members,
})

function records() {
  const employees = consoleRecords().employees.slice(0, 4)
  const app = (type: string, friendlyName: string, sensitivityLevel: App['sensitivityLevel']) =>
    madeOf<App>(App, {
      type,
      friendlyName,
      sensitivityLevel,
      approvalStatus: null,
      ownerId: null,
      labels: [],
    })
  const payroll = app('ZAPIER', 'Zapier', 'HIGH')
  const chat = app('SLACK', 'Slack', 'LOW')
  const assistant = app('CHATGPT', 'ChatGPT', null)
  const apps = [payroll, chat, assistant]
  const [ada, grace, alan] = employees.map(({ id }) => id)
  const account = (of: App, employeeId: string | undefined, email: string) =>
    madeOf<Account>(Account, {
      ...(employeeId && { employeeId }),
      ...{ appId: of.id, appType: of.type, email, lastUsedTimestamp: nowSeconds },
    })
  const accounts = [
    account(payroll, ada, 'ada.byron@example.com'),
    account(chat, grace, 'grace@example.com'),
    account(assistant, ada, 'ada.byron@example.com'),
    account(assistant, grace, 'grace@private.example'),
  ]
  const [first, second] = accounts
  const finding = (type: Finding['type'], of: Account | undefined, state: Finding['state'] = 'OPEN') =>
    madeOf<Finding>(Finding, {
      ...{ type, state },
      ...(of && { accountId: of.id, appId: of.appId, appType: of.appType, employeeId: of.employeeId }),
    })
  const findings = [
    finding('WEAK_PASSWORD', first),
    finding('WEAK_PASSWORD', second),
    finding('LEAKED_PASSWORD', first),
    finding('WEAK_PASSWORD', first, 'RESOLVED'),
  ]
  const site = madeOf<AppOther>(AppOther, { domain: 'chat.helper.ai', hidden: false })
  const accountsOther = [
    madeOf<AccountOther>(AccountOther, {
      ...(alan && { employeeId: alan }),
      ...{ otherAppId: site.id, email: 'alan@private.example', lastUsedTimestamp: nowSeconds },
    }),
  ]
  return { employees, apps, appsOther: [site], accounts, accountsOther, findings }
}

let world: ConsoleWorld
let page: Page
let clicks: number

beforeAll(async () => {
  world = await consoleWorld('sqlite', records())
  page = await openAsOwner(world)
})
afterAll(() => world.stop())
beforeEach(async () => {
  clicks = 0
  await page.goto(`${world.address}/console/`)
  await titled(page, 'Overview')
})

async function click(target: Locator): Promise<void> {
  clicks += 1
  await target.click()
}
const navigation = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true })
const button = (name: string) => page.locator('.tools').getByRole('button', { name, exact: true })
const choice = (name: string) => page.getByRole('menuitemcheckbox', { name, exact: true })

test('weak passwords on sensitive apps take five clicks', async () => {
  await click(navigation('Findings'))
  await click(button('Type'))
  await click(choice('Weak password'))
  await page.keyboard.press('Escape')
  await click(button('App sensitivity'))
  await click(choice('High'))
  await page.keyboard.press('Escape')
  await counted(page, '1 finding')
  expect(await page.locator('.grid-row').innerText()).toContain('Zapier')
  expect(clicks).toBe(5)
})

test('the AI tools of this month take one click, and the private accounts another one', async () => {
  await click(navigation('AI tools'))
  await titled(page, 'AI tools')
  const rows = page.locator('.tools-table tbody tr')
  await rows.nth(1).waitFor()
  expect(await page.getByLabel('Period').inputValue()).toBe('THIS_MONTH')
  expect(await rows.allInnerTexts()).toEqual([
    expect.stringMatching(/ChatGPT.*2\s+1\s+1\s+0/s),
    expect.stringMatching(/chat\.helper\.ai.*1\s+1\s+0\s+0/s),
  ])
  expect(clicks).toBe(1)
  await click(page.getByRole('link', { name: /People with a private account/ }))
  await counted(page, '2 employees')
  expect(clicks).toBe(2)
})

test('apps that are new take two clicks, and each number leads to its rows', async () => {
  await click(navigation('Apps'))
  await click(button('New in the last 30 days'))
  await counted(page, '3 apps')
  expect(clicks).toBe(2)
  const row = page.locator('.grid-row', { hasText: 'ChatGPT' })
  await row.getByRole('link', { name: '2', exact: true }).first().click()
  await titled(page, 'Employees')
  await counted(page, '2 employees')
})

test('a period is chosen next to a custom range', async () => {
  await navigation('Accounts').click()
  await button('Added').click()
  await page.getByRole('menuitemradio', { name: 'Last 24 hours', exact: true }).click()
  await page.locator('.chips').getByText('Last 24 hours').waitFor()
  await button('Added').click()
  await page.getByRole('menuitemradio', { name: 'Custom range…', exact: true }).click()
  await page.getByRole('dialog').getByLabel('Added after').first().waitFor()
  expect(new URL(page.url()).searchParams.get('createdWithin')).toBe('LAST_24_HOURS')
})

test('a custom range can be changed from the menu of periods, and a preset replaces it', async () => {
  const after = String(nowSeconds - 3 * 86_400)
  await page.goto(`${world.address}/console/apps?creationTimestampAfter=${after}`)
  await counted(page, '3 apps')
  await button('Added').click()
  await page.getByRole('menuitemradio', { name: 'Custom range…', exact: true }).click()
  await page.getByRole('dialog').getByLabel('Added after').first().waitFor()
  const parameters = () => new URL(page.url()).searchParams
  expect(parameters().get('creationTimestampAfter')).toBe(after)
  await page.keyboard.press('Escape')
  await button('New in the last 30 days').click()
  await page.locator('.chips').getByText('Last 30 days').waitFor()
  expect(parameters().get('creationTimestampAfter')).toBe(null)
})

test('the new pages pass accessibility checks in light, dark and on a phone', async () => {
  const faults: string[] = []
  await page.goto(`${world.address}/console/apps`)
  const app = await page.locator('.grid-row a', { hasText: 'ChatGPT' }).first().getAttribute('href')
  for (const path of ['/console/apps', String(app), '/console/ai', '/console/findings']) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto(`${world.address}${path}`)
    await settle(page)
    const note = async (what: string, found: readonly string[]) =>
      faults.push(...found.map((fault) => `${path} ${what}: ${fault}`))
    await note('light', await axeFaults(page))
    await page.emulateMedia({ colorScheme: 'dark' })
    await note('dark', await axeFaults(page, 'colors'))
    await page.setViewportSize({ width: 390, height: 844 })
    await settle(page)
    await note('phone', await axeFaults(page))
    if ((await widthBeyond(page)) > 0) faults.push(`${path}: wider than a phone`)
  }
  expect(faults).toEqual([])
  expect(world.complaints).toEqual([])
}, 300_000)
