import type { Browser } from 'wxt/browser'

/** Where a message comes from, by the browser's word. */
export interface MessageSender {
  /** The tab; null for the popup. */
  readonly tabId: number | null
  /** 0 is the main frame. */
  readonly frameId: number
  /** Address of the frame; of its opener's origin where it has none of its own (`about:blank`). */
  readonly url: string
  readonly host: string
  /** The document, where the browser tells; undefined elsewhere. */
  readonly documentId: string | undefined
  /** Name of the agent's own page, such as `popup.html`; null for content scripts. */
  readonly ownPage: string | null
}

/**
 * Reads the sender of a message.
 *
 * @param ownId id of the agent
 * @param ownOrigin origin of its pages, with a final slash
 * @returns null for whatever is neither a content script in a tab nor a page of the agent
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
