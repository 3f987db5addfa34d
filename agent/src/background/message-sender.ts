import type { Browser } from 'wxt/browser'

/** Sender of a message, as identified by the browser. */
export interface MessageSender {
  /** Tab ID; null for the popup. */
  readonly tabId: number | null
  /** 0 is the main frame. */
  readonly frameId: number
  /** Address of the frame, or the origin of its opener if it has none (`about:blank`). */
  readonly url: string
  readonly host: string
  /** Document ID; undefined in browsers without one. */
  readonly documentId: string | undefined
  /** Name of the agent's own page, such as `popup.html`; null for content scripts. */
  readonly ownPage: string | null
}

/**
 * Reads the sender of a message.
 *
 * @param ownId extension ID of the agent
 * @param ownOrigin origin of its pages, with a trailing slash
 * @returns null unless it is a content script in a tab or a page of the agent
 */
export function readSender(
  sender: Browser.runtime.MessageSender,
  ownId: string,
  ownOrigin: string,
): MessageSender | null {
  if (sender.id !== ownId) return null
  const url = sender.url ?? ''
  const { tab, frameId = 0, documentId } = sender
  const place = { tabId: tab?.id ?? null, frameId, documentId }
  if (url.startsWith(ownOrigin)) {
    const page = URL.parse(url)
    return page ? { ...place, url, host: page.host, ownPage: page.pathname.slice(1) } : null
  }
  if (place.tabId === null) return null
  const address = [url, sender.origin].map((each) => URL.parse(each ?? '')).find((each) => isWeb(each))
  return address ? { ...place, url: address.href, host: address.hostname, ownPage: null } : null
}

const isWeb = (url: URL | null | undefined) => url?.protocol === 'https:' || url?.protocol === 'http:'
