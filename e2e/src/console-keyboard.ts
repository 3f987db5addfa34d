import type { Page } from 'playwright-core'
import { until } from '../../test/support/until.ts'

/** Presses a button by the keyboard as soon as it does something: while it is busy, it does not. */
export const pressButton = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true, disabled: false }).first().press('Enter')

/** Presses a button of the dialog that is open. */
export const pressInDialog = (page: Page, name: string): Promise<void> =>
  page.getByRole('dialog').getByRole('button', { name, exact: true, disabled: false }).press('Enter')

/** Waits until no dialog is open: what is behind one hears no key. */
export const dialogGone = (page: Page): Promise<void> =>
  page.getByRole('dialog').waitFor({ state: 'detached' })

/** Does what a dialog asks about, and waits until it is gone. */
export async function confirm(page: Page, name: string): Promise<void> {
  await pressInDialog(page, name)
  await dialogGone(page)
}

/** Waits for the title of a page. */
export const titled = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

/**
 * Presses keys one right after the other, before the page can draw what the first one does. Otherwise each press is several
 * round trips, and on a busy machine a first key may no longer count when the second one comes.
 */
export const pressAtOnce = (page: Page, ...keys: readonly string[]): Promise<void> =>
  page.evaluate(
    `for (const key of ${JSON.stringify(keys)})
      (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))`,
  )

/** Goes to a page by `g` and its key, and waits for it. */
export async function goBy(page: Page, key: string, title: string): Promise<void> {
  await pressAtOnce(page, 'g', key)
  await titled(page, title)
}

/** Waits until just so many rows of a list contain a text. */
export async function rowsSay(page: Page, count: number, text: string): Promise<void> {
  const rows = page.locator('.grid-row:not(.waiting)')
  await until(`${count} rows with “${text}”`, async () => {
    const texts = await rows.allInnerTexts()
    if (texts.filter((row) => row.includes(text)).length === count) return true
    throw new Error(texts.join('\n'))
  })
}

/** Waits until a short list says that it has so many, `12 employees`, and shows them. */
export async function counted(page: Page, text: string): Promise<void> {
  await page.locator('.page-head [role=status]').getByText(text, { exact: true }).waitFor()
  await page
    .locator(`[role=grid][aria-busy=false][aria-rowcount="${Number(text.split(' ')[0]) + 1}"]`)
    .waitFor()
}

/** Searches a list by the keyboard, and leaves the search when the list has what is said. */
export async function searchFor(page: Page, text: string, count: string): Promise<void> {
  await page.keyboard.press('/')
  await page.keyboard.type(text)
  await counted(page, count)
  await page.keyboard.press('Escape')
}

/** Waits for what the page tells in passing. */
export const toldOf = (page: Page, text: string | RegExp): Promise<void> =>
  page.locator('.toasts').getByText(text).last().waitFor()

/** A part of a page by its heading, which may say how many there are. */
export const card = (page: Page, title: string) =>
  page.locator('.card', {
    has: page.getByRole('heading', { level: 2, name: new RegExp(`^${title}(?: ·|$)`) }),
  })

/** Chooses something of a menu by the keyboard, and leaves the menu. */
export async function chooseOf(page: Page, menu: string, ...items: readonly string[]): Promise<void> {
  await pressButton(page, menu)
  for (const name of items) await page.getByRole('menuitemcheckbox', { name, exact: true }).press('Space')
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
}
