import { browser } from 'wxt/browser'
import { readTab } from '../logins/login-memory.ts'
import { catalogueOf } from '../policy/page-catalogue.ts'
import { pageBanner } from '../policy/page-policy.ts'
import { currentPolicy } from '../policy/policy-store.ts'
import type { MessageSender } from './message-sender.ts'

/** Scripts that pages get when there is a need; a second one of a kind does nothing in a frame. */
type InjectedScript = '/observe.js' | '/banner.js'

/** @returns false if a frame is gone, or is none of the web */
async function inject(tabId: number, frameIds: number[], script: InjectedScript): Promise<boolean> {
  try {
    await browser.scripting.executeScript({
      target: { tabId, frameIds },
      files: [script],
      injectImmediately: true,
    })
    return true
  } catch {
    return false
  }
}

/**
 * Puts the observer into a frame.
 *
 * @returns false while nothing is observed
 */
export async function observeFrame({
  tabId,
  frameId,
}: Pick<MessageSender, 'tabId' | 'frameId'>): Promise<boolean> {
  if (tabId === null || !(await currentPolicy())) return false
  return inject(tabId, [frameId], '/observe.js')
}

/**
 * Observes what becomes of an attempt: in the page, and in the frame of the form, either of which may show another document
 * since it was made.
 */
export async function observeAfterAttempt({ tabId, frameId }: MessageSender): Promise<void> {
  for (const id of new Set([0, frameId])) await observeFrame({ tabId, frameId: id })
}

/** Shows the banner of a page, if it has one. */
export async function injectBanner(tabId: number, url: string): Promise<void> {
  const address = URL.parse(url)
  if (address && (await pageBanner(address.hostname))) await inject(tabId, [0], '/banner.js')
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
    await inject(tabId, [frameId], '/observe.js')
  if (frameId === 0) await injectBanner(tabId, url)
}

/** Follows the pages of tabs. Must be called while the background starts, or browsers do not wake it. */
export function watchPages(): void {
  browser.webNavigation.onCommitted.addListener((details) => void onCommitted(details))
}
