import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axeFaults } from '../src/axe-faults.ts'
import { card, pressButton, pressInDialog, titled, toldOf } from '../src/console-keyboard.ts'
import { type ConsoleWorld, consoleWorld } from '../src/console-world.ts'
import { settle, watchPage } from '../src/page-watch.ts'

describe('what a new team sees', () => {
  let world: ConsoleWorld
  let page: Page

  beforeAll(async () => {
    world = await consoleWorld('sqlite', { workforce: 12, days: 10 })
    page = await world.open({ viewport: { width: 1440, height: 900 } })
    await watchPage(page)
    await world.becomeOwner(page)
  })
  afterAll(() => world.stop())

  test('the checklist shows what is left, leads to its pages, and stays away once dismissed', async () => {
    const checklist = card(page, 'Get started')
    await checklist.waitFor()
    expect(await checklist.getByLabel('Done').count()).toBe(2)
    await checklist.getByRole('link', { name: 'Webhooks' }).click()
    await titled(page, 'Webhooks')
    await page.goBack()
    await pressButton(page, 'Dismiss')
    await checklist.waitFor({ state: 'detached' })
    await page.reload()
    await settle(page)
    expect(await checklist.count()).toBe(0)
  })

  test('a page leads to its section of the guide, which has images and needs no other server', async () => {
    const hosts = new Set<string>()
    page.on('request', (request) => hosts.add(new URL(request.url()).host))
    await page.goto(`${world.address}/console/employees`)
    await page.getByRole('link', { name: 'Guide to this page' }).click()
    await titled(page, 'Console')
    await page.getByRole('heading', { level: 2, name: 'Employees' }).waitFor()
    expect(new URL(page.url()).pathname + new URL(page.url()).hash).toBe('/console/guide/console#employees')
    const widths = await page.locator('article img').evaluateAll((images) =>
      Promise.all(
        images.map(async (image) => {
          const picture = image as unknown as { decode(): Promise<void>; naturalWidth: number }
          await picture.decode()
          return picture.naturalWidth
        }),
      ),
    )
    expect(Math.min(...widths)).toBeGreaterThan(100)
    await page.getByRole('article').getByRole('link', { name: 'Apps and AI tools' }).first().click()
    await titled(page, 'Apps and AI tools')
    expect(await axeFaults(page)).toEqual([])
    expect([...hosts]).toEqual([new URL(world.address).host])
    expect(world.complaints).toEqual([])
  })

  test('the numbers of the coverage open exactly their rows', async () => {
    await page.goto(`${world.address}/console/enrollment`)
    const line = card(page, 'Coverage').getByRole('link', { name: 'With an active browser' })
    const number = (await line.locator('.figure').innerText()).trim()
    expect(await axeFaults(page)).toEqual([])
    await line.click()
    await titled(page, 'Employees')
    await page.locator('.page-head [role=status]').getByText(`${number} employee`).waitFor()
  })

  test('a saved filter is shared with the other administrators, with the name of its owner', async () => {
    await page.goto(`${world.address}/console/accounts?mfa=NOT_REGISTERED`)
    await pressButton(page, 'Saved')
    await page.getByRole('menuitem', { name: 'Save filters…' }).press('Enter')
    await page.getByLabel('Name').fill('Without MFA')
    await page.getByLabel('Share with all administrators').check()
    await pressInDialog(page, 'Save')
    await toldOf(page, '“Without MFA” saved.')
    const headers = { 'x-muster-console': '1', origin: world.address }
    const invited = await page.request.post(`${world.address}/console/api/invitations`, {
      headers,
      data: { email: 'grace@example.com', role: 'READ_ONLY' },
    })
    const hers = await world.open()
    await hers.goto(((await invited.json()) as { link: string }).link)
    await hers.getByLabel('Your name').fill('Grace Hopper')
    await hers.getByLabel('Password').fill('correct horse battery staple')
    await hers.keyboard.press('Enter')
    await titled(hers, 'Overview')
    await hers.goto(`${world.address}/console/accounts`)
    await pressButton(hers, 'Saved')
    await hers.getByRole('menuitem', { name: 'Without MFA (Ada Byron)' }).press('Enter')
    await hers.waitForURL(/mfa=NOT_REGISTERED/)
    expect(new URL(hers.url()).searchParams.get('mfa')).toBe('NOT_REGISTERED')
  })
})
