import { browser } from 'wxt/browser'
import { readTab } from '../logins/login-memory.ts'
import type { FrameScript } from '../messages.ts'
import { catalogueOf } from '../policy/page-catalogue.ts'
import { pageBanner } from '../policy/page-policy.ts'
import { currentPolicy } from '../policy/policy-store.ts'
import type { MessageSender } from './message-sender.ts'

/**
 * Puts a script into a frame. A second one of a kind does nothing there.
 *
 * @returns false if the frame is gone, or is none of the web
 */
async function inject(tabId: number, frameId: number, script: FrameScript | 'banner'): Promise<boolean> {
  try {
    await browser.scripting.executeScript({
      target: { tabId, frameIds: [frameId] },
      files: [`/${script}.js`],
      injectImmediately: true,
    })
    return true
  } catch {
    return false
  }
}

/**
 * Puts a script into the frame that asks for it.
 *
 * @returns false while nothing is observed
 */
export async function injectForFrame(
  { tabId, frameId }: Pick<MessageSender, 'tabId' | 'frameId'>,
  script: FrameScript,
): Promise<boolean> {
  if (tabId === null || !(await currentPolicy())) return false
  return inject(tabId, frameId, script)
}

/**
 * Observes what becomes of an attempt: in the page, and in the frame of the form, either of which may show another document
 * since it was made.
 */
export async function observeAfterAttempt({ tabId, frameId }: MessageSender): Promise<void> {
  for (const id of new Set([0, frameId])) await injectForFrame({ tabId, frameId: id }, 'observe')
}

/** Shows the banner of a page, if it has one. */
export async function injectBanner(tabId: number, url: string): Promise<void> {
  const address = URL.parse(url)
  if (address && (await pageBanner(address.hostname))) await inject(tabId, 0, 'banner')
}

interface Committed {
  readonly tabId: number
  readonly frameId: number
  readonly url: string
}

/** A frame shows another document: it may be where a login goes on, or an account is chosen. */
async function onCommitted({ tabId, frameId, url }: Committed): Promise<void> {
  const policy = await currentPolicy()
  if (!policy) return
  const { attempt, flows } = await readTab(tabId)
  const product = catalogueOf(policy).byHost(URL.parse(url)?.hostname ?? '')
  if (attempt || flows.length > 0 || product?.identityProvider !== undefined)
    await inject(tabId, frameId, 'observe')
  if (frameId === 0) await injectBanner(tabId, url)
}

/** Follows the pages of tabs. Must be called while the background starts, or browsers do not wake it. */
export function watchPages(): void {
  browser.webNavigation.onCommitted.addListener((details) => void onCommitted(details))
}
