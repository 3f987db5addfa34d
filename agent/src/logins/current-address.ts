import { browser } from 'wxt/browser'
import type { MessageSender } from '../background/message-sender.ts'

type FromDocument = Pick<MessageSender, 'tabId' | 'frameId' | 'url' | 'documentId'>

/**
 * Returns the address of the document that sent a message. Chromium sends the address that it was loaded from, though a
 * script may have changed it since. If the frame shows another document by now, that address stays.
 */
export async function currentAddress({ tabId, frameId, url, documentId }: FromDocument): Promise<string> {
  if (tabId === null || documentId === undefined) return url
  const frame = await browser.webNavigation.getFrame({ tabId, frameId }).catch(() => null)
  const isSame = frame?.documentId === documentId && /^https?:/.test(frame.url)
  return isSame ? frame.url : url
}
