import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { axeFaults } from '../src/axe-faults.ts'
import { type ConsoleWorld, consoleWorld } from '../src/console-world.ts'
import { settle, watchPage, widthBeyond } from '../src/page-watch.ts'

let world: ConsoleWorld
let page: Page

beforeAll(async () => {
  world = await consoleWorld('sqlite', { workforce: 40, days: 70 })
  page = await world.open({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  await watchPage(page)
  await world.becomeOwner(page)
}, 300_000)
afterAll(() => world.stop())

const lastMonth = (): string => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 7)
}

async function openPage(path: string): Promise<void> {
  await page.goto(`${world.address}/console${path}`)
  await settle(page)
}

beforeEach(async () => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1440, height: 900 })
})

test('trends and report are accessible in light and dark, and fit a phone', async () => {
  for (const path of ['/trends', '/trends?period=LAST_YEAR', `/reports/${lastMonth()}`])
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await openPage(path)
      expect([path, width, await axeFaults(page)]).toEqual([path, width, []])
      expect([path, await widthBeyond(page)]).toEqual([path, 0])
      await page.emulateMedia({ colorScheme: 'dark' })
      expect([path, width, await axeFaults(page, 'colors')]).toEqual([path, width, []])
      await page.emulateMedia({ colorScheme: 'light' })
    }
})

test('the number of a headline is the number of rows of the list that it opens', async () => {
  for (const [label, noun] of [
    ['Findings opened', 'finding'],
    ['Detections', 'detection'],
    ['New apps', 'app'],
    ['Open findings', 'finding'],
  ] as const) {
    await openPage('/trends')
    const headline = page.locator('.headline', { has: page.getByText(label, { exact: true }) })
    const shown = await headline.getByRole('link').innerText()
    await headline.getByRole('link').click()
    expect(shown).not.toBe('0')
    const text = `${shown} ${noun}${shown === '1' ? '' : 's'}`
    await page.locator('.page-head [role=status]').getByText(text, { exact: true }).waitFor()
  }
})

test('each chart has a table', async () => {
  await openPage('/trends')
  const buttons = page.getByRole('button', { name: /^View as table/ })
  const count = await buttons.count()
  expect(count).toBe(9)
  for (let at = 0; at < count; at += 1) await buttons.nth(at).click()
  expect(await page.getByRole('table').count()).toBe(9)
  expect(await axeFaults(page, 'structure')).toEqual([])
})

test('the report prints on two A4 pages, from the dark theme, too', async () => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await openPage(`/reports/${lastMonth()}`)
  await page.getByRole('heading', { name: 'Findings by type' }).waitFor()
  const pdf = (await page.pdf({ preferCSSPageSize: true, printBackground: true })).toString('latin1')
  expect(pdf.match(/\/Type\s*\/Page\b(?!s)/g)).toHaveLength(2)
  const [, width, height] = /\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf) ?? []
  expect([Math.round(Number(width)), Math.round(Number(height))]).toEqual([595, 842])
})

test('an administrator subscribes to the monthly mail', async () => {
  await openPage('/trends')
  const box = page.getByRole('checkbox', { name: /Email me the report/ })
  await box.click()
  await expect.poll(() => box.isChecked()).toBe(true)
  await openPage('/trends')
  expect(await box.isChecked()).toBe(true)
})

test('no page had an error', () => {
  expect(world.complaints).toEqual([])
})
