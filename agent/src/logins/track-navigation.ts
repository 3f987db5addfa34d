import type { Catalog } from '@muster/contract/catalog/catalog'
import { type Browser, browser } from 'wxt/browser'
import { trimmedUrl } from '../lib/trimmed-url.ts'
import {
  type CommittedDocument,
  isUserNavigation,
  noteDocumentStatus,
  onAttemptClosed,
  onAttemptCommitted,
  onFlowStarted,
} from './attempts/attempt-navigation.ts'
import { forgetSockets } from './attempts/open-sockets.ts'
import { completeAttempt } from './attempts/track-attempts.ts'
import { completeFederatedLogin } from './complete-login.ts'
import { catalogHosts } from './federation/catalog-hosts.ts'
import { advanceFlows, closedWindowLogin, type NavigationStep } from './federation/federation.ts'
import type { LoginDeps } from './login-deps.ts'
import { forgetPasswordless, onLinkOpened, onPasswordlessAnswer } from './passwordless/track-passwordless.ts'
import { changeTab, idleTab, readTab } from './tab-logins.ts'
import { reportVisit } from './visits.ts'

/** Request for a page or frame, with context that is only available when the request is seen. */
export interface PageRequest {
  readonly tabId: number
  readonly navigation: NavigationStep
  readonly load: PageLoad
}

/** Page load that is pending. */
interface PageLoad {
  /** Time of its first request; Unix milliseconds. */
  readonly startedMs: number
  /** True if no page began it. */
  readonly isByBrowser: boolean
}

type RequestDetails = Browser.webRequest.OnBeforeRequestDetails & { readonly originUrl?: string }

/** Last address of each pending request, which is the origin of a redirect, and its page load. */
const stepByRequest = new Map<string, { readonly address: string; readonly load: PageLoad }>()
const requestsMaximum = 500

/** Pending page load of each tab. Removed when the page is shown; lost with the worker. */
const loadByTab = new Map<number, PageLoad>()

const parsed = (address: string | undefined) => (address ? URL.parse(address) : null)

/** Returns the page that sent a request: the tab's page, or its opener's if the origin matches. */
async function requestingPage(tabId: number, origin: string | undefined): Promise<URL | null> {
  const asking = parsed(origin)
  if (!asking || asking.origin === 'null') return null
  const tab = await browser.tabs.get(tabId).catch(() => undefined)
  const opener =
    tab?.openerTabId === undefined
      ? undefined
      : await browser.tabs.get(tab.openerTabId).catch(() => undefined)
  const pages = [parsed(tab?.url), parsed(opener?.url)]
  return pages.find((page) => page?.origin === asking.origin) ?? asking
}

const formNamesOf = ({ requestBody }: RequestDetails): string[] =>
  Object.keys(requestBody?.formData ?? {}).slice(0, 50)

/** Reads a page request immediately, because the tab may show another page a moment later. */
export async function pageRequest(details: RequestDetails): Promise<PageRequest | null> {
  const url = parsed(details.url)
  if (!url || details.tabId < 0 || !/^https?:$/.test(url.protocol)) return null
  const before = stepByRequest.get(details.requestId)
  if (stepByRequest.size >= requestsMaximum) stepByRequest.clear()
  const origin = details.initiator ?? details.originUrl
  const load = before?.load ?? { startedMs: details.timeStamp, isByBrowser: origin === undefined }
  stepByRequest.set(details.requestId, { address: details.url, load })
  const from = before ? parsed(before.address) : await requestingPage(details.tabId, origin)
  const navigation = {
    frameId: details.type === 'sub_frame' ? details.frameId : 0,
    url,
    from,
    method: details.method,
    formNames: formNamesOf(details),
    timeMs: details.timeStamp,
  }
  return { tabId: details.tabId, navigation, load }
}

/** Returns true if an Okta dashboard sent the user to an app whose form Okta's extension fills in. */
function isLaunch(catalog: Catalog, { url, from }: NavigationStep): boolean {
  if (!from || catalog.providerByHost(from.hostname) !== 'OKTA') return false
  return catalog.providerByHost(url.hostname) !== 'OKTA' && !url.searchParams.has('SAMLRequest')
}

/** Updates the sign-ins of a tab for a page request. */
export async function onPageRequest(
  deps: LoginDeps,
  { tabId, navigation, load }: PageRequest,
): Promise<void> {
  const isPage = navigation.frameId === 0
  if (isPage) loadByTab.set(tabId, load)
  const catalog = await deps.catalog()
  if (isPage) await onLinkOpened(tabId, navigation)
  const tab = await readTab(tabId)
  const { flows, logins } = advanceFlows(tab.flows, navigation, catalogHosts(catalog))
  const isLaunched = isPage && logins.length === 0 && flows.length === 0 && isLaunch(catalog, navigation)
  const isUnchanged = flows.length === 0 && tab.flows.length === 0 && logins.length === 0 && !isLaunched
  if (isUnchanged) return
  await changeTab(tabId, (now) => ({
    ...now,
    flows,
    arriving: [...now.arriving, ...logins.map((login) => ({ login, frameId: navigation.frameId }))],
    launchedMs: isLaunched ? Date.now() : now.launchedMs,
  }))
  // A provider that signs the user in elsewhere has accepted the password that was submitted to it.
  const handedIn = tab.attempt && catalog.providerByHost(new URL(tab.attempt.url).hostname)
  const wasAnswered = tab.flows.length > flows.length
  if (wasAnswered && logins.some(({ provider }) => provider === handedIn)) await completeAttempt(deps, tabId)
  else if (flows.length > tab.flows.length && !handedIn) await onFlowStarted(deps, tabId)
}

/** Handles the response status of a page or frame. */
export async function onPageAnswer(
  deps: LoginDeps,
  details: { tabId: number; frameId: number; url: string; statusCode: number },
): Promise<void> {
  const { tabId, frameId, statusCode } = details
  if (frameId === 0) await onPasswordlessAnswer(deps, details)
  await noteDocumentStatus(tabId, frameId, statusCode)
  const { arriving } = await readTab(tabId)
  const arrived = arriving.filter((one) => one.frameId === frameId)
  if (arrived.length === 0) return
  await changeTab(tabId, (tab) => ({
    ...tab,
    arriving: tab.arriving.filter((one) => one.frameId !== frameId),
  }))
  if (statusCode >= 400) return
  for (const { login } of arrived) await completeFederatedLogin(deps, login)
}

/** Handles a new page in a tab. */
export async function onCommitted(deps: LoginDeps, details: CommittedDocument): Promise<void> {
  const load = details.frameId === 0 ? loadByTab.get(details.tabId) : undefined
  const committed = { ...details, isByBrowser: load?.isByBrowser ?? false }
  await onAttemptCommitted(deps, committed)
  if (details.frameId !== 0) return
  await forgetSockets(details.tabId)
  const loadMs = load?.startedMs ?? Number.POSITIVE_INFINITY
  loadByTab.delete(details.tabId)
  if (isUserNavigation(committed)) {
    // A typed app address may redirect to its provider: that sign-in has just started and is kept.
    await changeTab(details.tabId, (tab) => {
      const flows = tab.flows.filter(({ startedMs }) => startedMs >= loadMs)
      return flows.length === tab.flows.length ? tab : { ...tab, flows }
    })
  }
  // Frames of the previous page are gone.
  await changeTab(details.tabId, (tab) => {
    const flows = tab.flows.filter(({ frameId }) => frameId === 0)
    return flows.length === tab.flows.length ? tab : { ...tab, flows }
  })
  const url = trimmedUrl(details.url)
  if (!url) return
  const { hostname } = new URL(url)
  if ((await deps.catalog()).byHost(hostname)) await reportVisit(deps, hostname)
}

/**
 * Handles the closing of a tab, which may end a login popup. A provider's response that was on its way to the app has
 * arrived: the app closes its own popup, often before the page has loaded.
 */
export async function onTabClosed(deps: LoginDeps, tabId: number): Promise<void> {
  loadByTab.delete(tabId)
  await onAttemptClosed(deps, tabId)
  const { flows, arriving } = await readTab(tabId)
  const closed = closedWindowLogin(flows, catalogHosts(await deps.catalog()))
  await changeTab(tabId, () => idleTab)
  await forgetPasswordless(tabId)
  await forgetSockets(tabId)
  const logins = [...arriving.map(({ login }) => login), ...(closed ? [closed] : [])]
  for (const login of logins) await completeFederatedLogin(deps, login)
}
