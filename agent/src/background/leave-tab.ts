import { browser } from 'wxt/browser'

/** Where a tab is taken: to the page before, or to an empty one. */
export type WayOut = 'BACK' | 'EMPTY'

/**
 * Takes a tab away from its page. The browser does it, not a script in the page: that the page could refuse
 * (`navigation.onnavigate`).
 */
export async function leaveTab(tabId: number, to: WayOut): Promise<void> {
  const toEmpty = async () => {
    await browser.tabs.update(tabId, { url: 'about:blank' })
  }
  if (to === 'EMPTY') await toEmpty()
  // There may be no page before.
  else await browser.tabs.goBack(tabId).catch(toEmpty)
}
