import type { Page } from 'playwright-core'

/**
 * Comes back to a page from another tab a minute later: what it shows it asks for anew, as it does then.
 *
 * @param path what of it is waited for, the path of a question: `/console/api/controls`
 */
export async function comeBack(page: Page, path: string): Promise<void> {
  const answered = page.waitForResponse(
    (response) => response.request().method() === 'GET' && new URL(response.url()).pathname === path,
  )
  await page.evaluate(`{
    const before = Date.now
    Date.now = () => before() + 60_000
    dispatchEvent(new Event('visibilitychange'))
  }`)
  await (await answered).finished()
}
