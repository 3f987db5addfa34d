import type { AddressInfo } from 'node:net'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
// biome-ignore lint/correctness/useImportExtensions: the rule mistakes the declaration file for the module.
import { programs } from '../../scripts/programs.mjs'
import { useHarness } from '../../test/support/harness.ts'
import { axeFaults } from '../src/axe-faults.ts'
import { widthBeyond } from '../src/page-watch.ts'

describe('the guide at /docs/guide/', () => {
  const h = useHarness('sqlite')
  let browser: Browser
  let address = ''
  const complaints: string[] = []

  beforeAll(async () => {
    await h.app.listen({ port: 0, host: '127.0.0.1' })
    address = `http://127.0.0.1:${(h.app.server.address() as AddressInfo).port}/docs/guide/`
    browser = await chromium.launch({
      executablePath: programs.chromium.find() ?? '',
      args: ['--no-sandbox'],
    })
  })
  afterAll(() => browser.close())

  const open = async (path: string, options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> => {
    const page = await browser.newPage(options)
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(`${address}${path}`)
    return page
  }

  test.each([
    { colorScheme: 'light', viewport: { width: 1440, height: 900 } },
    { colorScheme: 'dark', viewport: { width: 390, height: 800 } },
  ] as const)('pages have no axe violations and fit into the window, $colorScheme', async (options) => {
    const page = await open('', options)
    for (const path of ['', 'threat-model', 'siem', 'console', 'using-the-api']) {
      await page.goto(`${address}${path}`)
      expect([path, await axeFaults(page), await widthBeyond(page)]).toEqual([path, [], 0])
    }
    await page.getByLabel('Search the guide').fill('rate limit')
    await page
      .getByRole('status')
      .getByText(/\d+ results/)
      .waitFor()
    expect(await axeFaults(page)).toEqual([])
    await page.close()
  })

  test('the search finds sections, by keyboard', async () => {
    const page = await open('')
    await page.getByLabel('Search the guide').fill('octet counting')
    await page.getByRole('link', { name: 'SIEM streams: Syslog' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/guide/siem#syslog')
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('SIEM streams')
    await page.getByLabel('Search the guide').fill('zzzz')
    await page.getByRole('listitem').getByText('No results').waitFor()
    await page.getByRole('heading', { level: 1 }).click()
    await page.getByRole('listitem').getByText('No results').waitFor({ state: 'hidden' })
    await page.close()
  })

  test('a search that could not be loaded says so, and works later', async () => {
    const page = await browser.newPage()
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(address)
    await page.route('**/search.json', (route) => route.abort())
    await page.getByLabel('Search the guide').fill('octet')
    await page
      .getByRole('listitem')
      .getByText(/could not be loaded/)
      .waitFor()
    await page.unroute('**/search.json')
    await page.getByLabel('Search the guide').fill('octet counting')
    await page.getByRole('link', { name: 'SIEM streams: Syslog' }).waitFor()
    expect(await page.getByRole('status').textContent()).toMatch(/^\d+ results?$/)
    await page.close()
  })

  test('without scripts the search is hidden, and links work', async () => {
    const page = await open('', { javaScriptEnabled: false })
    expect(await page.getByRole('search').count()).toBe(0)
    await page.getByRole('navigation', { name: 'Guide' }).getByRole('link', { name: 'Threat model' }).click()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Threat model')
    await page.close()
    expect(complaints).toEqual([])
  })
})
