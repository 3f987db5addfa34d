import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  aBlockedUrl,
  aBrowser,
  aBrowserExtension,
  anAccount,
  anApp,
  anEmployee,
} from '../../test/support/fixtures.ts'
import { until } from '../../test/support/until.ts'
import { type ConsoleWorld, consoleWorld } from '../src/console-world.ts'

const employee = anEmployee({ firstName: 'שרה', lastName: null })
const browser = aBrowser({ employeeId: employee.id })
const app = anApp({ website: 'javascript:alert(1)' })
const account = anAccount({ employeeId: employee.id, appId: app.id, email: 'a\u202egpj\u0007\u009bb' })
const extension = aBrowserExtension({
  employeeId: employee.id,
  browserId: browser.id,
  name: 'photo\u202egpj.exe',
  description: 'one\u2066two',
})

let world: ConsoleWorld
let page: Page
beforeAll(async () => {
  world = await consoleWorld('sqlite', {
    employees: [employee],
    apps: [app],
    accounts: [account],
    browsers: [browser],
    browserExtensions: [extension],
    blockedUrls: [aBlockedUrl()],
  })
  page = await world.open()
  await world.becomeOwner(page)
})
afterAll(() => world.stop())

const shown = async (path: string, text: string): Promise<string> => {
  await page.goto(`${world.address}/console/${path}`)
  await until(`${text} on ${path}`, async () => (await page.innerText('body')).includes(text))
  return page.innerText('body')
}

test('control characters in reported texts are made visible', async () => {
  const pages: readonly [path: string, text: string][] = [
    ['accounts', 'a\\u202egpj\\u0007\\u009bb'],
    [`accounts/${account.id}`, 'a\\u202egpj\\u0007\\u009bb'],
    ['installations', 'photo\\u202egpj.exe'],
    [`extensions/${extension.extensionId}`, 'photo\\u202egpj.exe'],
  ]
  for (const [path, text] of pages) {
    const all = await shown(path, text)
    expect(all).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
  }
  expect(await page.title()).toContain('photo\\u202egpj.exe')
})

test('names are isolated from the surrounding text direction, and non-web addresses are no links', async () => {
  await shown(`employees/${employee.id}`, 'שרה')
  expect(await page.locator('h1 bdi').innerText()).toBe('שרה')
  await shown(`apps/${app.id}`, 'javascript:alert(1)')
  expect(await page.locator('a[href^="javascript" i]').count()).toBe(0)
})

test('blocking a whole public suffix shows a warning and needs confirmation', async () => {
  await shown('controls/blocked-urls', 'Block addresses')
  await page.getByRole('button', { name: 'Block addresses' }).click()
  await page.getByRole('textbox', { name: /Patterns/ }).fill('*.com')
  const block = page.getByRole('dialog').getByRole('button', { name: 'Block', exact: true })
  await block.click()
  await page.getByText('This blocks every site under .com.').waitFor()
  await page.getByRole('checkbox', { name: /Block whole public suffixes/ }).check()
  await block.click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.locator('code', { hasText: '*.com' }).waitFor()
  expect(await page.locator('code', { hasText: '*.com' }).count()).toBe(1)
})
