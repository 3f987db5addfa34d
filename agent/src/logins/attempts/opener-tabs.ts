import { browser } from 'wxt/browser'
import { type SessionValue, sessionValue, taskQueue } from '../../state/session-value.ts'

/** Opener of each tab. The browser's own `openerTabId` covers only tabs in the same window, not popups. */
const openers: SessionValue<Readonly<Record<string, number>>> = sessionValue('logins.openers', {})
const enqueue = taskQueue()
const tabsMaximum = 200

/** Records that a page opened a tab or a window. */
export const noteOpenedTab = (tabId: number, openerId: number): Promise<void> =>
  enqueue(async () => {
    const known = Object.entries(await openers.read()).slice(1 - tabsMaximum)
    await openers.write({ ...Object.fromEntries(known), [tabId]: openerId })
  })

/** Removes a closed tab. */
export const forgetOpenedTab = (tabId: number): Promise<void> =>
  enqueue(async () => {
    const { [tabId]: opener, ...others } = await openers.read()
    if (opener !== undefined) await openers.write(others)
  })

/** Returns the tab that opened a tab; null if unknown. */
export async function openerTabOf(tabId: number): Promise<number | null> {
  const noted = (await openers.read())[tabId]
  if (noted !== undefined) return noted
  const tab = await browser.tabs.get(tabId).catch(() => undefined)
  return tab?.openerTabId ?? null
}
