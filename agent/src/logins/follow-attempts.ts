import { browser } from 'wxt/browser'
import { trimmedUrl } from '../lib/trimmed-url.ts'
import type { Notice } from '../messages.ts'
import { reportEntered } from '../threats/protected-password.ts'
import { isExpired, judge, type PendingAttempt } from './attempt.ts'
import { checkSlowly, type SlowChecks, unchecked } from './complete-login.ts'
import { isForOtherService } from './embedded-form.ts'
import { withIdentity } from './federation.ts'
import { finishLogin } from './finish-login.ts'
import type { LoginDeps } from './login-deps.ts'
import { changeTab, readTab, type TabLogins } from './login-memory.ts'
import type { LoginAttempt, PageState } from './login-messages.ts'
import { isWorkIdentity, reportVisit } from './visits.ts'

/** The frame that a message came from, by the browser's word. */
export interface FromFrame {
  readonly tabId: number
  readonly frameId: number
  readonly url: string
}

/** For how long who was named on one page counts on the next. */
const hintMaximumMs = 10 * 60_000
/** For how long a page that a dashboard opened may take to be filled in. */
const launchMaximumMs = 60_000

/** For how long a press may be on its way here. */
const pressMaximumMs = 10_000

/** Checks under way, by tab; lost with the worker, and then a login tells that they were not made, unless they had been. */
const checks = new Map<number, Promise<SlowChecks>>()

const framesOf = async (tabId: number): Promise<number[]> =>
  ((await browser.webNavigation.getAllFrames({ tabId })) ?? []).map(({ frameId }) => frameId)

/** Returns true if a frame asks for the credentials of another service than its own. */
async function isOfOtherService({ tabId, frameId, url }: FromFrame): Promise<boolean> {
  if (frameId === 0) return false
  const top = await browser.webNavigation.getFrame({ tabId, frameId: 0 })
  return isForOtherService(url, top?.url ?? null)
}

/** Takes note of who signs in at a provider, for the sign-in elsewhere that it is part of. */
async function noteIdentity(deps: LoginDeps, from: FromFrame, identity: string, isProven: boolean) {
  const { hostname } = new URL(from.url)
  const provider = (await deps.catalogue()).providerByHost(hostname)
  await changeTab(from.tabId, (tab) => ({
    ...tab,
    hint: { identity, timeMs: Date.now() },
    flows: provider ? withIdentity(tab.flows, provider, { identity, isProven }) : tab.flows,
  }))
  const workIdentities = (await deps.policy())?.workIdentities ?? []
  if (isWorkIdentity(workIdentities, identity)) await reportVisit(deps, hostname)
}

/** The first step of a login, or the choice of an account at a provider. */
export const onIdentity = (deps: LoginDeps, from: FromFrame, identity: string, isChosen: boolean) =>
  noteIdentity(deps, from, identity, isChosen)

/** The page around a frame with a form is watched as well: it shows what becomes of the login. */
async function alertMainFrame(tabId: number): Promise<void> {
  const notice: Notice = { notice: 'LOGIN_PENDING' }
  await browser.tabs.sendMessage(tabId, notice, { frameId: 0 }).catch(() => undefined)
}

/** Credentials were handed in: from now on the tab is watched. */
export async function onAttempt(deps: LoginDeps, from: FromFrame, attempt: LoginAttempt): Promise<boolean> {
  const url = trimmedUrl(from.url)
  const tab = await readTab(from.tabId)
  const timeMs = Date.now()
  const isLaunched = tab.launchedMs !== null && timeMs - tab.launchedMs <= launchMaximumMs
  // What nobody touched may be the page's own doing.
  if (!url || !(attempt.isActivated || isLaunched)) return false
  if (await isOfOtherService(from)) {
    if (!attempt.isToldOf) await reportEntered(deps, from.url, attempt.password.fingerprint)
    return false
  }
  const hinted = tab.hint && timeMs - tab.hint.timeMs <= hintMaximumMs ? tab.hint.identity : null
  const identity = attempt.identity ?? hinted
  const pending: PendingAttempt = {
    ...attempt,
    identity,
    // What the checks begin with is not kept.
    password: { ...attempt.password, sha1: null },
    tabId: from.tabId,
    frameId: from.frameId,
    url,
    startedMs: Math.min(timeMs, Math.max(attempt.pressedMs, timeMs - pressMaximumMs)),
    documentStatus: null,
    requests: 0,
    requestStatus: null,
    secondStep: null,
    codeEntered: false,
    heldBy: [],
    isLaunched,
  }
  const checking = checkSlowly(deps, attempt.password).catch(() => unchecked)
  checks.set(from.tabId, checking)
  await changeTab(from.tabId, (now) => ({ ...now, attempt: pending, checked: null }))
  void checking.then((checked) =>
    changeTab(from.tabId, (now) => (checks.get(from.tabId) === checking ? { ...now, checked } : now)),
  )
  if (!attempt.isToldOf) await reportEntered(deps, from.url, attempt.password.fingerprint)
  if (identity) await noteIdentity(deps, from, identity, false)
  if (from.frameId !== 0) await alertMainFrame(from.tabId)
  return true
}

/** Ends the attempt of a tab as a success. */
export async function succeed(deps: LoginDeps, tabId: number): Promise<void> {
  const { attempt, checked } = await readTab(tabId)
  if (!attempt) return
  const checking = checks.get(tabId) ?? Promise.resolve(checked ?? unchecked)
  checks.delete(tabId)
  const { identity } = attempt
  // Kept before the attempt is dropped: the browser may end the background in between.
  if (identity !== null) await finishLogin(deps, { attempt, identity, checked }, checking)
  await drop(tabId)
  if (identity === null) return
  const { hostname } = new URL(attempt.url)
  const provider = (await deps.catalogue()).providerByHost(hostname)
  if (provider) {
    await changeTab(tabId, (tab) => ({
      ...tab,
      flows: withIdentity(tab.flows, provider, { identity, isProven: true }),
    }))
  }
}

const withoutAttempt = (tab: TabLogins): TabLogins => ({
  ...tab,
  attempt: null,
  checked: null,
  hint: null,
  launchedMs: null,
})

/** Ends the attempt of a tab: it failed, or the employee went elsewhere. */
export const drop = (tabId: number): Promise<TabLogins> =>
  changeTab(tabId, (tab) => (tab.attempt ? withoutAttempt(tab) : tab))

/** Ends an attempt that failed; who was named stays, for the next one. */
const fail = (tabId: number) => changeTab(tabId, (tab) => ({ ...tab, attempt: null, checked: null }))

/**
 * A frame tells how it looks now.
 *
 * @returns whether it is to tell again when that changes
 */
export async function onPageState(deps: LoginDeps, from: FromFrame, state: PageState): Promise<boolean> {
  const { attempt } = await readTab(from.tabId)
  if (!attempt) return false
  const frames = await framesOf(from.tabId)
  const verdict = judge(attempt, { frameId: from.frameId, state, frames, timeMs: Date.now() })
  if (verdict.outcome === 'PENDING') {
    await changeTab(from.tabId, (tab) => ({ ...tab, attempt: verdict.attempt }))
    return true
  }
  if (verdict.outcome === 'SUCCEEDED') await succeed(deps, from.tabId)
  else await fail(from.tabId)
  return false
}

/** Whether a tab waits for the outcome of an attempt. */
export async function isWatched(tabId: number): Promise<boolean> {
  const { attempt } = await readTab(tabId)
  return attempt !== null && !isExpired(attempt, Date.now())
}
