import type { Page } from 'playwright-core'

/**
 * Simulates returning to the page from another tab a minute later, which makes it refetch its data.
 *
 * @param path path of the request to wait for: `/console/api/controls`
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
