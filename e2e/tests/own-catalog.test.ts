import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConsoleWorld, consoleWorld } from '../src/console-world.ts'

let world: ConsoleWorld
let page: Page

beforeAll(async () => {
  world = await consoleWorld('sqlite', {})
  page = await world.open()
  await world.becomeOwner(page)
})
afterAll(() => world?.stop())

test('an own identity provider can be added, changed, removed and restored in the console', async () => {
  await page.goto(`${world.address}/console/controls/catalog`)
  await page.getByText('No custom apps or providers').waitFor()
  await page.getByRole('button', { name: 'Add app or provider' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Acme Sign-in')
  await page
    .getByLabel('Hosts of the sign-in page')
    .fill('https://sso.acme.example/realms/acme\n*.fs.acme.example')
  await page.getByLabel('Brand names on the sign-in page').fill('Acme')
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
  await page.getByText('ACME_SIGN_IN').waitFor()
  await page.getByRole('button', { name: 'Edit Acme Sign-in' }).click()
  await page.getByLabel('Brand names on the sign-in page').fill('Acme\nAcme Works')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Remove Acme Sign-in' }).click()
  await page.getByText('No custom apps or providers').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('ACME_SIGN_IN').waitFor()
  expect(await world.command('catalog list', '--own')).toMatchObject([
    { appType: 'ACME_SIGN_IN', brandWords: ['Acme', 'Acme Works'], hostPatterns: ['*.fs.acme.example'] },
  ])
  expect(world.complaints).toEqual([])
})
