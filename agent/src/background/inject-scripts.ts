import { browser } from 'wxt/browser'
import { isWatched } from '../logins/attempts/track-attempts.ts'
import { readTab } from '../logins/tab-logins.ts'
import type { FrameScript, Notice } from '../messages.ts'
import { catalogOf } from '../policy/page-catalog.ts'
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

/** Tells the frame of an attempt of it: another document may have begun there before the background has heard. */
export async function alertFrame({ tabId, frameId }: MessageSender): Promise<void> {
  const notice: Notice = { notice: 'LOGIN_PENDING' }
  if (tabId !== null) await browser.tabs.sendMessage(tabId, notice, { frameId }).catch(() => undefined)
}

/**
 * Gives a new document what it does not ask for: the observer where a login goes on or an account is chosen, and to a page
 * its banner.
 */
export async function equipFrame({
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
  // It reads the page after a form, which may be left at once.
  if (isAttempt) await inject(tabId, frameId, 'login')
  if (frameId === 0 && (await pageBanner(host))) await inject(tabId, frameId, 'banner')
  return true
}

/** Follows the frames within pages. Must be called while the background starts, or browsers do not wake it. */
export function watchFrames(): void {
  browser.webNavigation.onCommitted.addListener((details) => {
    if (details.frameId !== 0) void equipFrame(details)
  })
}
