import type { Catalog } from '@muster/contract/catalog/catalog'
import { type Browser, browser } from 'wxt/browser'
import { trimmedUrl } from '../lib/trimmed-url.ts'
import {
  type CommittedDocument,
  isOwnWay,
  noteDocumentStatus,
  onAttemptClosed,
  onAttemptCommitted,
  onFlowBegun,
} from './attempts/attempt-navigation.ts'
import { forgetSockets } from './attempts/open-sockets.ts'
import { succeed } from './attempts/track-attempts.ts'
import { completeFederatedLogin } from './complete-login.ts'
import { catalogHosts } from './federation/catalog-hosts.ts'
import { closedWindowLogin, type Hop, step } from './federation/federation.ts'
import type { LoginDeps } from './login-deps.ts'
import { forgetPasswordless, onLinkOpened, onPasswordlessAnswer } from './passwordless/track-passwordless.ts'
import { changeTab, nothingGoingOn, readTab } from './tab-logins.ts'
import { reportVisit } from './visits.ts'

/** A request for the page of a tab, with what must be asked at the time it is seen. */
export interface PageRequest {
  readonly tabId: number
  readonly hop: Hop
  /** When the first address of the same page load was asked for. */
  readonly loadMs: number
}

type RequestDetails = Browser.webRequest.OnBeforeRequestDetails & { readonly originUrl?: string }

/** The last address of each request under way, where a redirect comes from, and when its first was asked for. */
const hopOf = new Map<string, { readonly address: string; readonly loadMs: number }>()
const hopsMaximum = 500

/** When the page load that is under way in each tab began; gone once its page is shown, and with the worker. */
const loading = new Map<number, number>()

const parsed = (address: string | undefined) => (address ? URL.parse(address) : null)

/** The page that asked: that of the tab, or of the one that opened it, if the browser says so. */
async function askingPage(tabId: number, origin: string | undefined): Promise<URL | null> {
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

/** Reads a request for a page, at once: a moment later the tab shows another page. */
export async function pageRequest(details: RequestDetails): Promise<PageRequest | null> {
  const url = parsed(details.url)
  if (!url || details.tabId < 0 || !/^https?:$/.test(url.protocol)) return null
  const before = hopOf.get(details.requestId)
  if (hopOf.size >= hopsMaximum) hopOf.clear()
  const loadMs = before?.loadMs ?? details.timeStamp
  hopOf.set(details.requestId, { address: details.url, loadMs })
  const from = before
    ? parsed(before.address)
    : await askingPage(details.tabId, details.initiator ?? details.originUrl)
  const hop = {
    frameId: details.type === 'sub_frame' ? details.frameId : 0,
    url,
    from,
    method: details.method,
    formNames: formNamesOf(details),
    timeMs: details.timeStamp,
  }
  return { tabId: details.tabId, hop, loadMs }
}

/** A dashboard of Okta sends people to apps whose forms its extension fills in. */
function isLaunch(catalog: Catalog, { url, from }: Hop): boolean {
  if (!from || catalog.providerByHost(from.hostname) !== 'OKTA') return false
  return catalog.providerByHost(url.hostname) !== 'OKTA' && !url.searchParams.has('SAMLRequest')
}

/** Moves the sign-ins of a tab on by a request for its page. */
export async function onPageRequest(deps: LoginDeps, { tabId, hop, loadMs }: PageRequest): Promise<void> {
  const isPage = hop.frameId === 0
  if (isPage) loading.set(tabId, loadMs)
  const catalog = await deps.catalog()
  if (isPage) await onLinkOpened(tabId, hop)
  const tab = await readTab(tabId)
  const { flows, logins } = step(tab.flows, hop, catalogHosts(catalog))
  const isLaunched = isPage && logins.length === 0 && flows.length === 0 && isLaunch(catalog, hop)
  const isUnchanged = flows.length === 0 && tab.flows.length === 0 && logins.length === 0 && !isLaunched
  if (isUnchanged) return
  await changeTab(tabId, (now) => ({
    ...now,
    flows,
    arriving: [...now.arriving, ...logins.map((login) => ({ login, frameId: hop.frameId }))],
    launchedMs: isLaunched ? Date.now() : now.launchedMs,
  }))
  // A provider that gives its word has taken the password that was handed in there.
  const handedIn = tab.attempt && catalog.providerByHost(new URL(tab.attempt.url).hostname)
  const wasAnswered = tab.flows.length > flows.length
  if (wasAnswered && logins.some(({ provider }) => provider === handedIn)) await succeed(deps, tabId)
  else if (flows.length > tab.flows.length && !handedIn) await onFlowBegun(deps, tabId)
}

/** The page of a tab, or of a frame in it, came with a status. */
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

/** A tab shows another page. */
export async function onCommitted(deps: LoginDeps, details: CommittedDocument): Promise<void> {
  await onAttemptCommitted(deps, details)
  if (details.frameId !== 0) return
  await forgetSockets(details.tabId)
  const loadMs = loading.get(details.tabId) ?? Number.POSITIVE_INFINITY
  loading.delete(details.tabId)
  if (isOwnWay(details)) {
    // An app whose address was typed may send on to its provider: that sign-in has just begun.
    await changeTab(details.tabId, (tab) => {
      const flows = tab.flows.filter(({ startedMs }) => startedMs >= loadMs)
      return flows.length === tab.flows.length ? tab : { ...tab, flows }
    })
  }
  // Frames of the page before are gone.
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
 * A tab was closed: a window for a sign-in may end so. The answer of a provider that was on its way to the app has
 * arrived: it is the app that closes its window then, often before the page has loaded.
 */
export async function onTabClosed(deps: LoginDeps, tabId: number): Promise<void> {
  loading.delete(tabId)
  await onAttemptClosed(deps, tabId)
  const { flows, arriving } = await readTab(tabId)
  const closed = closedWindowLogin(flows, catalogHosts(await deps.catalog()))
  await changeTab(tabId, () => nothingGoingOn)
  await forgetPasswordless(tabId)
  await forgetSockets(tabId)
  const logins = [...arriving.map(({ login }) => login), ...(closed ? [closed] : [])]
  for (const login of logins) await completeFederatedLogin(deps, login)
}
