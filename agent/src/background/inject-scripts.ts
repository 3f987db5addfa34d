import { browser } from 'wxt/browser'
import { isWatched } from '../logins/attempts/track-attempts.ts'
import { readTab } from '../logins/tab-logins.ts'
import type { FrameScript, Notice } from '../messages.ts'
import { catalogOf } from '../policy/page-catalog.ts'
import { pageBanner } from '../policy/page-policy.ts'
import { currentPolicy } from '../policy/policy-store.ts'
import type { MessageSender } from './message-sender.ts'

/**
 * Injects a script into a frame. A second injection of the same script does nothing.
 *
 * @returns false if the frame is gone or not a web page
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
 * Injects a script into the frame that requests it.
 *
 * @returns false while observation is off
 */
export async function injectForFrame(
  { tabId, frameId }: Pick<MessageSender, 'tabId' | 'frameId'>,
  script: FrameScript,
): Promise<boolean> {
  if (tabId === null || !(await currentPolicy())) return false
  return inject(tabId, frameId, script)
}

/**
 * Notifies the frame of an attempt: the frame may have loaded another document before the background got the message.
 */
export async function notifyFrame({ tabId, frameId }: MessageSender): Promise<void> {
  const notice: Notice = { notice: 'LOGIN_PENDING' }
  if (tabId !== null) await browser.tabs.sendMessage(tabId, notice, { frameId }).catch(() => undefined)
}

/**
 * Injects what a new document does not request itself: the observer if a login is in progress or an account is chosen,
 * and the page's banner.
 */
export async function injectInitialScripts({
  tabId,
  frameId,
  url,
}: Pick<MessageSender, 'tabId' | 'frameId' | 'url'>): Promise<boolean> {
  const policy = await currentPolicy()
  const host = URL.parse(url)?.hostname
  if (!policy || tabId === null || host === undefined) return false
  const { flows } = await readTab(tabId)
  const isProvider = catalogOf(policy).byHost(host)?.identityProvider !== undefined
  const isAttempt = await isWatched(tabId)
  if (flows.length > 0 || isProvider || isAttempt) await inject(tabId, frameId, 'observe')
  // Reads the page after a form, which may be left immediately.
  if (isAttempt) await inject(tabId, frameId, 'login')
  if (frameId === 0 && (await pageBanner(host))) await inject(tabId, frameId, 'banner')
  return true
}

/** Watches frames within pages. Call while the background starts, or browsers do not wake it. */
export function watchFrames(): void {
  browser.webNavigation.onCommitted.addListener((details) => {
    if (details.frameId !== 0) void injectInitialScripts(details)
  })
}
