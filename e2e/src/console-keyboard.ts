import type { Page } from 'playwright-core'
import { until } from '../../test/support/until.ts'

/** Presses a button with the keyboard once it is no longer busy. */
export const pressButton = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true, disabled: false }).first().press('Enter')

/** Presses a button of the open dialog. */
export const pressInDialog = (page: Page, name: string): Promise<void> =>
  page.getByRole('dialog').getByRole('button', { name, exact: true, disabled: false }).press('Enter')

/** Waits until no dialog is open, because the page behind one receives no keys. */
export const dialogGone = (page: Page): Promise<void> =>
  page.getByRole('dialog').waitFor({ state: 'detached' })

/** Confirms a dialog and waits until it has closed. */
export async function confirm(page: Page, name: string): Promise<void> {
  await pressInDialog(page, name)
  await dialogGone(page)
}

/** Waits for a page title. */
export const titled = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

/**
 * Presses keys in direct succession, before the page can render. Otherwise each press takes several round trips, and on a
 * busy machine a key sequence may time out.
 */
export const pressAtOnce = (page: Page, ...keys: readonly string[]): Promise<void> =>
  page.evaluate(
    `for (const key of ${JSON.stringify(keys)})
      (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))`,
  )

/** Opens a page with `g` and its key, and waits for it. */
export async function goBy(page: Page, key: string, title: string): Promise<void> {
  await pressAtOnce(page, 'g', key)
  await titled(page, title)
}

/** Waits until exactly this many rows of a list contain a text. */
export async function rowsSay(page: Page, count: number, text: string): Promise<void> {
  const rows = page.locator('.grid-row:not(.waiting)')
  await until(`${count} rows with “${text}”`, async () => {
    const texts = await rows.allInnerTexts()
    if (texts.filter((row) => row.includes(text)).length === count) return true
    throw new Error(texts.join('\n'))
  })
}

/** Waits until a short list shows its count, for example `12 employees`, and all its rows. */
export async function counted(page: Page, text: string): Promise<void> {
  await page.locator('.page-head [role=status]').getByText(text, { exact: true }).waitFor()
  await page
    .locator(`[role=grid][aria-busy=false][aria-rowcount="${Number(text.split(' ')[0]) + 1}"]`)
    .waitFor()
}

/** Searches a list with the keyboard, and leaves the search once the list has the given count. */
export async function searchFor(page: Page, text: string, count: string): Promise<void> {
  await page.keyboard.press('/')
  await page.keyboard.type(text)
  await counted(page, count)
  await page.keyboard.press('Escape')
}

/** Waits for a toast. */
export const toldOf = (page: Page, text: string | RegExp): Promise<void> =>
  page.locator('.toasts').getByText(text).last().waitFor()

/** Returns a card by its heading, which may include a count. */
export const card = (page: Page, title: string) =>
  page.locator('.card', {
    has: page.getByRole('heading', { level: 2, name: new RegExp(`^${title}(?: ·|$)`) }),
  })

/** Selects items of a menu with the keyboard, and closes the menu. */
export async function chooseOf(page: Page, menu: string, ...items: readonly string[]): Promise<void> {
  await pressButton(page, menu)
  for (const name of items) await page.getByRole('menuitemcheckbox', { name, exact: true }).press('Space')
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
}
