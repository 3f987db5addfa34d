import type { Locator, Page } from 'playwright-core'
import { axeFaults } from './axe-faults.ts'
import { settle, widthBeyond } from './page-watch.ts'

/** Size of the window of console tests, in CSS pixels. */
export const consoleViewport = { width: 1440, height: 900 }

/** Finds a button of the open dialog by its exact name. */
export const inDialog = (page: Page, name: string): Locator =>
  page.getByRole('dialog').getByRole('button', { name, exact: true })

/**
 * Returns the accessibility faults of a page as it is shown, in both color schemes and on a phone. Leaves it light and in the
 * size {@link consoleViewport}.
 */
export async function faultsShown(page: Page): Promise<string[]> {
  const faults = await axeFaults(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  faults.push(...(await axeFaults(page, 'colors')))
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 390, height: 800 })
  await settle(page)
  faults.push(...(await axeFaults(page, 'structure')))
  if ((await widthBeyond(page)) > 0) faults.push('wider than a phone')
  await page.setViewportSize(consoleViewport)
  return faults
}
