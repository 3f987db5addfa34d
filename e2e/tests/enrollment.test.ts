import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { consoleViewport, faultsShown, inDialog } from '../src/console-dialog.ts'
import { type ConsoleWorld, consoleWorld } from '../src/console-world.ts'
import { watchPage } from '../src/page-watch.ts'

let world: ConsoleWorld
let page: Page

const dialog = () => page.getByRole('dialog')

beforeAll(async () => {
  world = await consoleWorld('sqlite', { workforce: 12, days: 10 })
  page = await world.open({ viewport: consoleViewport, reducedMotion: 'reduce' })
  await watchPage(page)
  await world.becomeOwner(page)
})
afterAll(async () => {
  await world.stop()
})

test('a token is created, its policy file has it, and it is revoked', async () => {
  await page.goto(`${world.address}/console/enrollment`)
  await page.getByRole('button', { name: 'Create token' }).first().click()
  await dialog().getByLabel('Name').fill('laptops')
  await inDialog(page, 'Create token').click()
  const token = await dialog().locator('.secret code').innerText()
  expect(token).toMatch(/^met_/)
  expect(await faultsShown(page)).toEqual([])
  await dialog().getByLabel('Browser and platform').selectOption({ label: 'Chrome on macOS' })
  const saved = page.waitForEvent('download')
  await inDialog(page, 'Download muster-chrome.mobileconfig').click()
  const file = readFileSync(await (await saved).path(), 'utf8')
  expect(file).toContain(`<string>${token}</string>`)
  expect(file).toContain(`<string>${world.address}</string>`)
  await inDialog(page, 'I have copied it').click()
  await page
    .locator('.lines li', { hasText: 'laptops' })
    .getByText(/\b0 browsers enrolled/)
    .waitFor()
  expect(await page.content()).not.toContain(token)
  await page.getByRole('button', { name: 'Revoke laptops' }).click()
  expect(await faultsShown(page)).toEqual([])
  await inDialog(page, 'Revoke token').click()
  await page.getByRole('button', { name: 'Revoke laptops' }).waitFor({ state: 'detached' })
  await page.getByRole('checkbox', { name: 'Show revoked tokens' }).check()
  await page.locator('.lines li', { hasText: 'laptops' }).getByText('Revoked').waitFor()
})

test('a browser is revoked, then its record is deleted', async () => {
  const answer = await page.request.get(`${world.address}/console/api/lists/browsers`)
  const { records } = (await answer.json()) as { records: { id: string }[] }
  await page.goto(`${world.address}/console/browsers/${records[0]?.id}`)
  await page.getByText('Connected.').waitFor()
  await page.getByRole('button', { name: 'Revoke', exact: true }).click()
  expect(await faultsShown(page)).toEqual([])
  await inDialog(page, 'Revoke browser').click()
  await page.getByText('Revoked. The agent cannot report').waitFor()
  await page.getByRole('button', { name: 'Delete record' }).click()
  await inDialog(page, 'Delete record').click()
  await page.getByText('Browser deleted.').waitFor()
  await page.waitForURL('**/console/browsers')
  expect(world.complaints).toEqual([])
})
