import { browser } from 'wxt/browser'

/** Target of a tab that leaves its page: the previous page, or an empty one. */
export type LeaveTarget = 'BACK' | 'EMPTY'

/**
 * Moves a tab away from its page. Uses the browser API, because a page can block navigation by a script
 * (`navigation.onnavigate`).
 */
export async function leaveTab(tabId: number, to: LeaveTarget): Promise<void> {
  const toEmpty = async () => {
    await browser.tabs.update(tabId, { url: 'about:blank' })
  }
  if (to === 'EMPTY') await toEmpty()
  // There may be no previous page.
  else await browser.tabs.goBack(tabId).catch(toEmpty)
}
