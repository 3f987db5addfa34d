import type { AgentPolicy, PolicyBlockedUrl } from '@muster/contract/agent/agent-policy'
import { browser } from 'wxt/browser'
import { trimmedUrl } from '../lib/trimmed-url.ts'
import type { BlockPageFacts } from '../messages.ts'
import { report } from '../outbox/report-event.ts'
import { currentPolicy } from '../policy/policy-store.ts'
import { blockPagePath } from './apply-blocking.ts'
import { sightingFilter } from './sighting-filter.ts'
import { urlMatcher } from './url-pattern.ts'

/** Blocked visit of a tab, kept for the block page until the browser closes. */
interface Sighting {
  readonly url: string
  readonly pattern: string
}

const sightingKey = (tabId: number) => `blocked:${tabId}`
const isNewVisit = sightingFilter()

/** Pending write of a sighting. The block page waits for it. */
let lastSighting: Promise<unknown> = Promise.resolve()

let known: {
  readonly blockedUrls: AgentPolicy['blockedUrls']
  readonly match: (url: string) => PolicyBlockedUrl | null
} | null = null

/** Returns the blocked URL that matches an address; null if none does or no policy is active. */
async function blockedUrlOf(address: string): Promise<PolicyBlockedUrl | null> {
  const policy = await currentPolicy()
  if (!policy || policy.blockedUrls.length === 0) return null
  if (known?.blockedUrls !== policy.blockedUrls)
    known = { blockedUrls: policy.blockedUrls, match: urlMatcher(policy.blockedUrls) }
  return known.match(address)
}

/** Stores a blocked visit for the tab's block page, and reports it. */
async function recordSighting(
  tabId: number,
  address: string,
  referrer: string | null,
  isMainFrame: boolean,
): Promise<boolean> {
  const blocked = await blockedUrlOf(address)
  const url = trimmedUrl(address)
  if (!blocked || url === null) return false
  if (isMainFrame) {
    const sighting: Sighting = { url, pattern: blocked.url }
    await browser.storage.session.set({ [sightingKey(tabId)]: sighting })
  }
  if (isNewVisit({ tabId, url, isMainFrame }, Date.now()))
    await report({
      kind: 'BLOCKED_URL_VISITED',
      url,
      referrerUrl: trimmedUrl(referrer),
      blockedUrlId: blocked.id,
    })
  return true
}

function queueSighting(...sighting: Parameters<typeof recordSighting>): Promise<boolean> {
  const turn = lastSighting.then(() => recordSighting(...sighting))
  lastSighting = turn.catch(() => undefined)
  return turn
}

/**
 * Watches the pages that tabs open. The browser's rules block them; this watch reports them. It also redirects the tab
 * to the block page if the rules blocked it without a page or could not see the address: from a page's own cache, from
 * history, or changed by a script.
 */
export function watchBlockedTabs(): void {
  browser.webRequest.onBeforeRequest.addListener(
    ({ tabId, type, url, ...details }) => {
      const referrer = details.initiator ?? (details as { originUrl?: string }).originUrl ?? null
      const isShown = tabId >= 0 && details.documentLifecycle !== 'prerender'
      if (isShown) void queueSighting(tabId, url, referrer, type === 'main_frame')
      return undefined
    },
    { urls: ['http://*/*', 'https://*/*'], types: ['main_frame', 'sub_frame'] },
  )
  const stop = ({ tabId, frameId, url }: { tabId: number; frameId: number; url: string }) => {
    if (frameId === 0) void stopTab(tabId, url)
  }
  browser.webNavigation.onCommitted.addListener(stop)
  browser.webNavigation.onHistoryStateUpdated.addListener(stop)
  browser.webNavigation.onReferenceFragmentUpdated.addListener(stop)
  browser.webNavigation.onErrorOccurred.addListener((details) => {
    if (/BLOCKED_BY_CLIENT|NS_ERROR_/.test(details.error)) stop(details)
  })
  browser.tabs.onRemoved.addListener((tabId) => void browser.storage.session.remove(sightingKey(tabId)))
}

/** Redirects a tab to the block page if its address is blocked. */
async function stopTab(tabId: number, address: string): Promise<void> {
  if (!(await blockedUrlOf(address)) || !(await queueSighting(tabId, address, null, true))) return
  try {
    await browser.tabs.update(tabId, { url: browser.runtime.getURL(blockPagePath) })
  } catch {
    // The tab was closed meanwhile.
  }
}

/** Redirects tabs that already show a blocked address. */
export async function stopOpenTabs(): Promise<void> {
  const tabs = await browser.tabs.query({ url: ['http://*/*', 'https://*/*'] })
  for (const { id, url } of tabs) if (id !== undefined && url !== undefined) await stopTab(id, url)
}

/** Returns the contents of the block page in a tab. */
export async function blockPageFacts(tabId: number | null): Promise<BlockPageFacts> {
  await lastSighting
  const policy = await currentPolicy()
  const key = sightingKey(tabId ?? -1)
  const sighting = (await browser.storage.session.get(key))[key] as Sighting | undefined
  return {
    url: sighting?.url ?? null,
    pattern: sighting?.pattern ?? null,
    organizationName: policy?.organizationName || null,
    contact: policy?.contact ?? null,
  }
}
