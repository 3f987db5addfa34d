import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyWebhook } from '../../sdk/src/webhook-verify.ts'
import { axeFaults } from '../src/axe-faults.ts'
import { faultsShown, inDialog } from '../src/console-dialog.ts'
import { card, counted, titled, toldOf } from '../src/console-keyboard.ts'
import { type ConsoleWorld, consoleWorld } from '../src/console-world.ts'
import { type CountedClicks, countClicks } from '../src/counted-clicks.ts'
import { type EventReceiver, startReceiver } from '../src/event-receiver.ts'
import { openAsOwner, watchPage, widthBeyond } from '../src/page-watch.ts'
import { taskRecords } from '../src/task-records.ts'

/**
 * Ten everyday tasks of an administrator. Each starts at the overview, uses what is visible, and asserts the number of clicks
 * and the end state: in `/v1`, in the console API where `/v1` has no such resource, or in a downloaded file.
 */

const records = taskRecords()
const [ada, grace, edsger] = records.employees
const [zapier] = records.apps
const [phishing] = records.detections
const twin = records.employees.at(-1)
if (!ada || !grace || !edsger || !twin || !zapier || !phishing) throw new Error('a record is missing')

let world: ConsoleWorld
let page: Page
let receiver: EventReceiver
let fullKey: string

beforeAll(async () => {
  receiver = await startReceiver()
  world = await consoleWorld('sqlite', records, {
    MUSTER_WEBHOOKS_ALLOW_PRIVATE: 'true',
    MUSTER_RECORDS_MEMBER: 'result',
  })
  page = await openAsOwner(world)
  const { administrator } = await readConsole('session')
  const body = {
    name: 'tests',
    holder: administrator.email,
    permission: 'FULL_ACCESS',
    expiryTimestamp: null,
  }
  const made = await page.request.post(`${world.address}/console/api/keys`, {
    headers: { 'x-muster-console': '1', origin: world.address },
    data: body,
  })
  fullKey = (await made.json()).key
})
afterAll(async () => {
  receiver.close()
  await world.stop()
})

/** Defines a test that does a task in a number of clicks. */
const task = (name: string, clicks: number, work: (clicks: CountedClicks) => Promise<void>): void =>
  test(`${name} takes ${clicks} ${clicks === 1 ? 'click' : 'clicks'}`, async () => {
    await page.goto(`${world.address}/console/`)
    await titled(page, 'Overview')
    const taken = countClicks()
    await work(taken)
    expect(taken.taken).toBe(clicks)
  })

// biome-ignore lint/suspicious/noExplicitAny: parsed JSON
const readConsole = async (path: string): Promise<any> =>
  (await page.request.get(`${world.address}/console/api/${path}`)).json()
const callV1 = (method: string, path: string, key = fullKey, data?: object) =>
  page.request.fetch(`${world.address}/v1/${path}`, { method, headers: { 'x-api-key': key }, data })
// biome-ignore lint/suspicious/noExplicitAny: parsed JSON
const readV1 = async (path: string): Promise<any> => (await callV1('GET', path)).json()

const navigation = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true })
const button = (name: string) => page.locator('#main').getByRole('button', { name, exact: true })
const link = (name: string | RegExp) => page.locator('#main').getByRole('link', { name, exact: true })
const choice = (name: string) => page.getByRole('menuitemcheckbox', { name, exact: true })
const dialog = () => page.getByRole('dialog')

/** Opens the page of a record with the search of all pages. */
async function findByName(clicks: CountedClicks, name: string, remark: string): Promise<void> {
  await clicks.click(page.getByRole('navigation').getByRole('button', { name: /^Search/ }))
  await clicks.type(dialog().getByRole('combobox'), name)
  await clicks.click(page.getByRole('option', { name: `${name} ${remark}` }))
  await titled(page, name)
}

async function downloaded(act: () => Promise<void>): Promise<string> {
  const coming = page.waitForEvent('download')
  await act()
  return readFileSync(await (await coming).path(), 'utf8')
}

task('finding weak passwords on sensitive apps', 3, async ({ click }) => {
  await click(card(page, 'Findings').getByRole('link', { name: /^Weak password/ }))
  await counted(page, '2 findings')
  await click(button('App sensitivity'))
  await click(choice('High'))
  await counted(page, '1 finding')
  const row = page.locator('.grid-row')
  expect(await row.innerText()).toMatch(/Ada Byron[\s\S]*Zapier/)
  const { result } = await readV1(`findings?type=WEAK_PASSWORD&state=OPEN&appId=${zapier.id}`)
  const path = await row.locator('.first a').getAttribute('href')
  expect(path).toBe(`/console/findings/${result[0].id}`)
})

task('blocking an extension everywhere', 4, async ({ click }) => {
  await click(navigation('Browser extensions'))
  await click(page.locator('.grid-row').getByRole('link', { name: 'Cookie Monster' }))
  await click(button('Block'))
  await dialog().getByText('It is currently enabled in 2 browsers.').waitFor()
  await click(inDialog(page, 'Block'))
  await page.locator('.page-head').getByText('Blocked', { exact: true }).waitFor()
  const { controls } = await readConsole('controls')
  expect(controls.blockedExtensionIds).toEqual(['a'.repeat(32)])
})

task('offboarding an employee', 4, async (clicks) => {
  await findByName(clicks, 'Edsger Byron', edsger.email)
  await clicks.click(button('Offboard'))
  await dialog().getByText('The license is removed.').waitFor()
  const accounts = dialog().getByRole('list', { name: 'Accounts to close' }).getByRole('listitem')
  expect(await accounts.count()).toBe(2)
  expect(await accounts.first().getByRole('link').first().getAttribute('href')).toMatch(/^https:/)
  expect(await faultsShown(page)).toEqual([])
  await clicks.click(inDialog(page, 'Offboard'))
  await dialog().getByText('License removed').waitFor()
  expect(
    await dialog()
      .getByText(/muster employee erase .+ --yes/)
      .count(),
  ).toBe(1)
  expect(await faultsShown(page)).toEqual([])
  expect(await readV1(`employees/${edsger.id}`)).toMatchObject({ licensed: false })
})

test('the accounts to close are saved as CSV, and all data about the person as HTML', async () => {
  await page.goto(`${world.address}/console/employees/${edsger.id}`)
  await button('Offboard').click()
  await dialog().getByText('This employee has no license').waitFor()
  const csv = await downloaded(() => dialog().getByRole('link', { name: 'Download CSV' }).click())
  expect(csv.trim().split('\r\n')).toHaveLength(3)
  await inDialog(page, 'Cancel').click()
  await button('Download all data').click()
  const html = await downloaded(() => page.getByRole('menuitem', { name: 'HTML, to read and print' }).click())
  const reader = await world.open({ viewport: { width: 390, height: 800 } })
  await watchPage(reader)
  await reader.setContent(html)
  const head = reader.getByRole('heading', { level: 1, name: /^Data about / })
  expect(await head.count()).toBe(1)
  expect(await axeFaults(reader)).toEqual([])
  expect(await widthBeyond(reader)).toBe(0)
  await reader.context().close()
})

task('handling a phished employee', 5, async ({ click }) => {
  await click(navigation('Detections'))
  await click(page.locator('.grid-row').getByRole('link', { name: 'Phishing' }))
  const advice = card(page, 'What to do')
  await advice.getByText('Ask what was entered.').waitFor()
  expect(await advice.getByRole('link').getAttribute('href')).toMatch(/^https:\/\/.*zapier/)
  await click(advice.getByRole('button', { name: 'Block login.payroll-update.example' }))
  await click(inDialog(page, 'Block'))
  await toldOf(page, /^1 added/)
  await click(button('True positive'))
  await toldOf(page, 'Classified: true positive.')
  const { result } = await readV1('controls/blockedUrls')
  expect(result).toMatchObject([{ url: 'login.payroll-update.example' }])
  expect(await readV1(`detections/${phishing.id}`)).toMatchObject({ classification: 'TRUE_POSITIVE' })
})

task('creating a read-only key for 30 days', 5, async ({ click, choose, type }) => {
  await click(navigation('API keys'))
  await click(button('Create key'))
  await type(dialog().getByLabel('Name'), 'collector')
  await choose(dialog().getByLabel('Expires'), '30 days')
  await click(inDialog(page, 'Create key'))
  const key = await dialog().locator('.secret code').first().innerText()
  expect((await callV1('GET', 'employees', key)).status()).toBe(200)
  expect((await callV1('PATCH', `employees/${ada.id}`, key, { licensed: false })).status()).toBe(403)
  const { keys } = await readConsole('keys')
  const { expiryTimestamp, creationTimestamp } = keys.find(
    (one: { name: string }) => one.name === 'collector',
  )
  expect(expiryTimestamp - creationTimestamp).toBeCloseTo(30 * 86_400, -2)
})

task('adding a webhook and seeing its first delivery', 4, async ({ click, type }) => {
  await click(navigation('Webhooks'))
  await click(button('Add webhook'))
  await type(dialog().getByLabel('URL'), `${receiver.address}/good`)
  await click(inDialog(page, 'Add webhook'))
  const secret = await dialog().locator('.secret code').innerText()
  await click(inDialog(page, 'Send test event'))
  await dialog().getByText('The test event was acknowledged.').waitFor()
  const event = receiver.received.at(-1)
  const header = event?.headers['x-signature']
  const verdict = await verifyWebhook({ body: event?.body ?? '', header, secrets: [secret] })
  expect(verdict).toMatchObject({ valid: true })
})

task('merging two employees', 5, async (clicks) => {
  await findByName(clicks, 'Grace Byron', grace.email)
  await clicks.click(button('Merge'))
  // The record with the same name is offered without a search.
  await clicks.click(inDialog(page, `Choose ${twin.email}`))
  await clicks.click(inDialog(page, 'Merge'))
  await toldOf(page, '1 merged into Grace Byron.')
  expect(await readV1(`employees/${twin.id}`)).toMatchObject({ mergedIntoId: grace.id })
  expect(await readV1(`employees/${grace.id}`)).toMatchObject({ secondaryEmails: [twin.email] })
})

task('listing the AI tools in use this month', 1, async ({ click }) => {
  await click(navigation('AI tools'))
  await titled(page, 'AI tools')
  const rows = page.locator('.tools-table tbody tr')
  await rows.nth(1).waitFor()
  expect(await page.getByLabel('Period').inputValue()).toBe('THIS_MONTH')
  expect(await rows.allInnerTexts()).toEqual([
    expect.stringMatching(/ChatGPT.*2\s+1\s+1\s+0/s),
    expect.stringMatching(/chat\.helper\.ai.*1\s+1\s+0\s+0/s),
  ])
})

task('listing the people with private accounts in AI tools', 2, async ({ click }) => {
  await click(navigation('AI tools'))
  await click(link(/People with a private account/))
  await counted(page, '2 employees')
})

task('exporting the extensions with access to all sites and their owners', 5, async ({ click }) => {
  await click(navigation('Browser extensions'))
  await click(link('View every installation'))
  await click(button('Access to all sites'))
  await counted(page, '2 installations')
  await click(button('Export'))
  const csv = await downloaded(() => click(page.getByRole('menuitem', { name: 'CSV (all columns)' })))
  const lines = csv.trim().split('\r\n').slice(1)
  const owners = lines.map((line) => /(\w+\.byron@example\.com).*Cookie Monster.*<all_urls>/.exec(line)?.[1])
  expect(owners.toSorted()).toEqual([ada.email, grace.email])
  const { result } = await readV1(`browserExtensions?hostPermissions=${encodeURIComponent('<all_urls>')}`)
  expect(result).toHaveLength(2)
})

task('inviting a read-only colleague', 3, async ({ click, type }) => {
  await click(navigation('Administrators'))
  await click(button('Invite administrator'))
  await type(dialog().getByLabel('E-mail address'), 'grace@example.com')
  await click(inDialog(page, 'Send invitation'))
  const invitation = await dialog().locator('.secret code').innerText()
  const { invitations } = await readConsole('administrators')
  expect(invitations).toMatchObject([{ email: 'grace@example.com', role: 'READ_ONLY' }])
  const colleague = await world.open()
  await colleague.goto(invitation)
  await colleague.getByRole('heading', { level: 1 }).waitFor()
  await colleague.context().close()
})

test('there were no script errors', () => {
  expect(world.complaints).toEqual([])
})
