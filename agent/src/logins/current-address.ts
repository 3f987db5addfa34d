import { browser } from 'wxt/browser'
import type { MessageSender } from '../background/message-sender.ts'

type FromDocument = Pick<MessageSender, 'tabId' | 'frameId' | 'url' | 'documentId'>

/**
 * Returns the current address of the document that sent a message. Chromium sends the address at load time, although a
 * script may have changed it since. If the frame shows another document by now, the sent address is returned.
 */
export async function currentAddress({ tabId, frameId, url, documentId }: FromDocument): Promise<string> {
  if (tabId === null || documentId === undefined) return url
  const frame = await browser.webNavigation.getFrame({ tabId, frameId }).catch(() => null)
  const isSame = frame?.documentId === documentId && /^https?:/.test(frame.url)
  return isSame ? frame.url : url
}
