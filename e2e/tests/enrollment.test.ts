import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeFaults } from '../src/axe-faults.ts'
import { type ConsoleWorld, consoleWorld } from '../src/console-world.ts'
import { settle, watchPage, widthBeyond } from '../src/page-watch.ts'

let world: ConsoleWorld
let page: Page

const dialog = () => page.getByRole('dialog')
const inDialog = (name: string) => dialog().getByRole('button', { name, exact: true })

/** Returns the accessibility faults of what is shown, in both color schemes and on a phone. */
const faultsShown = async () => {
  const faults = await axeFaults(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  faults.push(...(await axeFaults(page, 'colors')))
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 390, height: 800 })
  await settle(page)
  faults.push(...(await axeFaults(page, 'structure')))
  if ((await widthBeyond(page)) > 0) faults.push('wider than a phone')
  await page.setViewportSize({ width: 1440, height: 900 })
  return faults
}

beforeAll(async () => {
  world = await consoleWorld('sqlite', { workforce: 12, days: 10 })
  page = await world.open({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
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
  await inDialog('Create token').click()
  const token = await dialog().locator('.secret code').innerText()
  expect(token).toMatch(/^met_/)
  expect(await faultsShown()).toEqual([])
  await dialog().getByLabel('Browser and platform').selectOption({ label: 'Chrome on macOS' })
  const saved = page.waitForEvent('download')
  await inDialog('Download muster-chrome.mobileconfig').click()
  const file = readFileSync(await (await saved).path(), 'utf8')
  expect(file).toContain(`<string>${token}</string>`)
  expect(file).toContain(`<string>${world.address}</string>`)
  await inDialog('I have copied it').click()
  await page.getByText('0 browsers enrolled').waitFor()
  expect(await page.content()).not.toContain(token)
  await page.getByRole('button', { name: 'Revoke laptops' }).click()
  expect(await faultsShown()).toEqual([])
  await inDialog('Revoke token').click()
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
  expect(await faultsShown()).toEqual([])
  await inDialog('Revoke browser').click()
  await page.getByText('Revoked. The agent cannot report').waitFor()
  await page.getByRole('button', { name: 'Delete record' }).click()
  await inDialog('Delete record').click()
  await page.getByText('Browser deleted.').waitFor()
  await page.waitForURL('**/console/browsers')
  expect(world.complaints).toEqual([])
})
