import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axeFaults } from '../src/axe-faults.ts'
import { consoleViewport, faultsShown, inDialog } from '../src/console-dialog.ts'
import { type ConsoleWorld, consoleWorld } from '../src/console-world.ts'
import { settle, watchPage, widthBeyond } from '../src/page-watch.ts'

describe('an employee leaves', () => {
  let world: ConsoleWorld
  let page: Page
  let path: string
  let clicks = 0

  const click = async (target: Locator) => {
    clicks += 1
    await target.click()
  }
  const dialog = () => page.getByRole('dialog')

  beforeAll(async () => {
    world = await consoleWorld('sqlite', { workforce: 12, days: 10 })
    page = await world.open({ viewport: consoleViewport, reducedMotion: 'reduce' })
    await watchPage(page)
    await world.becomeOwner(page)
    const answer = await page.request.get(`${world.address}/console/api/lists/accounts`)
    const { records } = (await answer.json()) as { records: { employeeId: string }[] }
    path = `/console/employees/${records[0]?.employeeId}`
  })
  afterAll(async () => {
    await world.stop()
  })

  test('offboarding takes two clicks, lists the accounts, and says what was done', async () => {
    await page.goto(`${world.address}${path}`)
    await page.locator('.page-head').getByText('Licensed').waitFor()
    await settle(page)
    await click(page.getByRole('button', { name: 'Offboard', exact: true }))
    await dialog().getByText('The license is removed.').waitFor()
    const accounts = dialog().getByRole('list', { name: 'Accounts to close' }).getByRole('listitem')
    expect(await accounts.count()).toBeGreaterThan(0)
    expect(await accounts.first().getByRole('link').first().getAttribute('href')).toMatch(/^https:/)
    expect(await faultsShown(page)).toEqual([])

    await click(inDialog(page, 'Offboard'))
    await dialog().getByText('License removed').waitFor()
    expect(clicks).toBe(2)
    expect(
      await dialog()
        .getByText(/muster employee erase .+ --yes/)
        .count(),
    ).toBe(1)
    expect(await faultsShown(page)).toEqual([])
    await inDialog(page, 'Done').click()
    await page.locator('.page-head').getByText('No license').waitFor()
  })

  test('the accounts to close are saved as CSV, and all data about the person as HTML', async () => {
    await page.getByRole('button', { name: 'Offboard', exact: true }).click()
    await dialog().getByText('This employee has no license').waitFor()
    const csv = page.waitForEvent('download')
    await dialog().getByRole('link', { name: 'Download CSV' }).click()
    expect((await csv).suggestedFilename()).toBe('accounts-to-close.csv')
    await inDialog(page, 'Cancel').click()
    await page.getByRole('button', { name: 'Download all data' }).click()
    const html = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'HTML, to read and print' }).click()
    const saved = await (await html).path()
    const reader = await world.open({ viewport: { width: 390, height: 800 } })
    await watchPage(reader)
    await reader.setContent(readFileSync(saved, 'utf8'))
    const head = reader.getByRole('heading', { level: 1, name: /^Data about / })
    expect(await head.count()).toBe(1)
    expect(await axeFaults(reader)).toEqual([])
    expect(await widthBeyond(reader)).toBe(0)
    await reader.context().close()
    expect(world.complaints).toEqual([])
  })
})
