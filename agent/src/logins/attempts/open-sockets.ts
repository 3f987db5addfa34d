import { type SessionValue, sessionValue } from '../../state/session-value.ts'

/**
 * Tabs whose page has opened a WebSocket. Its messages cannot be observed, so such a page may receive a response
 * unseen.
 */
const tabs: SessionValue<readonly number[]> = sessionValue('logins.sockets', [])
const tabsMaximum = 200

/** Records that a page opened a WebSocket. */
export async function noteSocket(tabId: number): Promise<void> {
  const known = await tabs.read()
  if (tabId >= 0 && !known.includes(tabId)) await tabs.write([...known.slice(1 - tabsMaximum), tabId])
}

/** Removes the WebSockets of a tab whose page is gone. */
export async function forgetSockets(tabId: number): Promise<void> {
  const known = await tabs.read()
  if (known.includes(tabId)) await tabs.write(known.filter((other) => other !== tabId))
}

export const hasSocket = async (tabId: number): Promise<boolean> => (await tabs.read()).includes(tabId)
