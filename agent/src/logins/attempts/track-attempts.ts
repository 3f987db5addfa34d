import { browser } from 'wxt/browser'
import { shortHash } from '../../lib/short-hash.ts'
import { trimmedUrl } from '../../lib/trimmed-url.ts'
import type { Notice } from '../../messages.ts'
import { reportSubmittedPassword } from '../../threats/protected-password.ts'
import { runSlowChecks, type SlowChecks, unchecked } from '../complete-login.ts'
import { withIdentity } from '../federation/federation.ts'
import type { LoginFact } from '../judgment/fact-weights.ts'
import { judge } from '../judgment/judge.ts'
import { logJudgment } from '../judgment/judgment-log.ts'
import { attemptFacts, lookOf, type Observed, observe, observeOpener } from '../judgment/login-facts.ts'
import type { LoginDeps } from '../login-deps.ts'
import type { LoginAttempt, PageState } from '../login-messages.ts'
import type { LoginWatch } from '../observation-messages.ts'
import { isPasswordlessPending, onPasswordlessState } from '../passwordless/track-passwordless.ts'
import { changeTab, readTab, type TabLogins, tabTable } from '../tab-logins.ts'
import { isWorkIdentity, reportVisit } from '../visits.ts'
import {
  type FrameReport,
  isExpired,
  namesSignIn,
  nothingObserved,
  type Opener,
  type PendingAttempt,
  pageOf,
  wasClear,
} from './attempt.ts'
import { isForOtherService } from './embedded-form.ts'
import { finishLogin } from './finish-login.ts'
import { hasSocket } from './open-sockets.ts'
import { openerTabOf } from './opener-tabs.ts'
import { pendingScriptRequests, withRecentAnswers } from './script-traffic.ts'

/** Frame that sent a message, as identified by the browser. */
export interface FromFrame {
  readonly tabId: number
  readonly frameId: number
  readonly url: string
}

/** Maximum age of an identity from an earlier page. */
const hintMaximumMs = 10 * 60_000
/** Maximum time between opening a page from a dashboard and its form being filled in. */
const launchMaximumMs = 60_000

/** Maximum delay between a press and its message. */
const pressMaximumMs = 10_000

/**
 * Running checks by tab. They are lost with the worker; the login is then reported without their results, unless these
 * were stored.
 */
const checks = new Map<number, Promise<SlowChecks>>()

const framesOf = async (tabId: number): Promise<number[]> =>
  ((await browser.webNavigation.getAllFrames({ tabId })) ?? []).map(({ frameId }) => frameId)

/** Returns true if a frame asks for the credentials of a service other than its own. */
async function asksForOtherService({ tabId, frameId, url }: FromFrame): Promise<boolean> {
  if (frameId === 0) return false
  const top = await browser.webNavigation.getFrame({ tabId, frameId: 0 })
  return isForOtherService(url, top?.url ?? null)
}

/** Stores who signs in at a provider, for the sign-in elsewhere that it is part of. */
async function noteIdentity(deps: LoginDeps, from: FromFrame, identity: string, isProven: boolean) {
  const { hostname } = new URL(from.url)
  const provider = (await deps.catalog()).providerByHost(hostname)
  await changeTab(from.tabId, (tab) => ({
    ...tab,
    hint: { identity, timeMs: Date.now() },
    flows: provider ? withIdentity(tab.flows, provider, { identity, isProven }) : tab.flows,
  }))
  const workIdentities = (await deps.policy())?.workIdentities ?? []
  if (isWorkIdentity(workIdentities, identity)) await reportVisit(deps, hostname)
}

/** Handles the first step of a login, or the choice of an account at a provider. */
export const onIdentity = (deps: LoginDeps, from: FromFrame, identity: string, isChosen: boolean) =>
  noteIdentity(deps, from, identity, isChosen)

/** Asks the main frame to report its state, because the page around a form's frame shows the outcome of the login. */
export async function notifyMainFrame(tabId: number): Promise<void> {
  const notice: Notice = { notice: 'LOGIN_PENDING' }
  await browser.tabs.sendMessage(tabId, notice, { frameId: 0 }).catch(() => undefined)
}

/** Returns the opener of a tab. Its page is watched as well, because a login popup may close itself. */
async function openerOf(tabId: number): Promise<Opener | null> {
  const openerId = await openerTabOf(tabId)
  return openerId === null ? null : { tabId: openerId, before: null }
}

/** Handles submitted credentials and starts watching the tab. */
export async function onAttempt(deps: LoginDeps, from: FromFrame, attempt: LoginAttempt): Promise<boolean> {
  const url = trimmedUrl(from.url)
  const timeMs = Date.now()
  const { launchedMs, hint, attempt: earlier } = await readTab(from.tabId)
  const isLaunched = launchedMs !== null && timeMs - launchedMs <= launchMaximumMs
  // Without user activation, the page may have submitted the form itself.
  if (!url || !(attempt.isActivated || isLaunched)) return false
  if (await asksForOtherService(from)) {
    if (!attempt.isToldOf) await reportSubmittedPassword(deps, from.url, attempt.password.fingerprint)
    return false
  }
  if (earlier && wasClear(earlier, timeMs)) await settleLeftAttempt(deps, from.tabId)
  const hinted = hint && timeMs - hint.timeMs <= hintMaximumMs ? hint.identity : null
  const identity = attempt.identity ?? hinted
  const pending: PendingAttempt = withRecentAnswers({
    ...attempt,
    identity,
    // The input of the password checks is not stored.
    password: { ...attempt.password, sha1: null },
    tabId: from.tabId,
    frameId: from.frameId,
    url,
    page: shortHash(pageOf(from.url)),
    startedMs: Math.min(timeMs, Math.max(attempt.pressedMs, timeMs - pressMaximumMs)),
    ...nothingObserved,
    secondStep: attempt.code && { method: attempt.code.method, needsCode: true, confirmsAddress: false },
    codeEntered: attempt.code?.state === 'ENTERED',
    opener: await openerOf(from.tabId),
    isLaunched,
  })
  if (!attempt.isToldOf) await reportSubmittedPassword(deps, from.url, attempt.password.fingerprint)
  const atOnce = judge(attemptFacts(pending))
  await logJudgment(pending, atOnce)
  if (atOnce.outcome === 'FAILED') {
    await failAttempt(from.tabId)
    return false
  }
  const checking = runSlowChecks(deps, attempt.password).catch(() => unchecked)
  checks.set(from.tabId, checking)
  await changeTab(from.tabId, (now) => ({ ...now, attempt: pending, checked: null }))
  void checking.then((checked) =>
    changeTab(from.tabId, (now) => (checks.get(from.tabId) === checking ? { ...now, checked } : now)),
  )
  if (identity) await noteIdentity(deps, from, identity, false)
  if (from.frameId !== 0) await notifyMainFrame(from.tabId)
  if (pending.opener) await notifyMainFrame(pending.opener.tabId)
  return true
}

/** Ends the attempt of a tab as a success. */
export async function completeAttempt(deps: LoginDeps, tabId: number): Promise<void> {
  const { attempt, checked } = await readTab(tabId)
  if (!attempt) return
  const checking = checks.get(tabId) ?? Promise.resolve(checked ?? unchecked)
  checks.delete(tabId)
  const { identity } = attempt
  // Stored before the attempt is dropped: the browser may stop the background in between.
  if (identity !== null) await finishLogin(deps, { attempt, identity, checked }, checking)
  await dropAttempt(tabId)
  const { hostname } = new URL(attempt.url)
  // A password without an identity is no account, but the app was used.
  if (identity === null) return reportVisit(deps, hostname)
  const provider = (await deps.catalog()).providerByHost(hostname)
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

/** Removes the attempt of a tab: it failed, or the employee went elsewhere. */
export const dropAttempt = (tabId: number): Promise<TabLogins> =>
  changeTab(tabId, (tab) => (tab.attempt ? withoutAttempt(tab) : tab))

/** Ends a failed attempt. The identity is kept for the next attempt. */
const failAttempt = (tabId: number) => changeTab(tabId, (tab) => ({ ...tab, attempt: null, checked: null }))

/**
 * Decides an attempt by the evidence so far because its page was left: the tab was closed, or the employee went
 * elsewhere. Leaving a page that was not clear for a moment is no evidence.
 */
export async function settleLeftAttempt(deps: LoginDeps, tabId: number): Promise<void> {
  const { attempt } = await readTab(tabId)
  if (!attempt) return
  const isClear = wasClear(attempt, Date.now())
  const facts = new Set<LoginFact>(isClear ? attempt.facts : [...attempt.facts, 'NOT_READY'])
  const judgment = judge(facts, 'LEFT')
  await logJudgment(attempt, judgment)
  if (judgment.outcome === 'SUCCEEDED') await completeAttempt(deps, tabId)
  else await dropAttempt(tabId)
}

/** Decides an attempt by the current facts. Returns true while the frame is still to be watched. */
async function decideAttempt(deps: LoginDeps, tabId: number, { attempt, facts }: Observed): Promise<boolean> {
  if (facts) {
    const judgment = judge(facts)
    await logJudgment(attempt, judgment)
    if (judgment.outcome !== 'PENDING') {
      // The checks and the end of the login read the table.
      await changeTab(tabId, (tab) => ({ ...tab, attempt }))
      await (judgment.outcome === 'SUCCEEDED' ? completeAttempt(deps, tabId) : failAttempt(tabId))
      return false
    }
  }
  await changeTab(tabId, (tab) => ({ ...tab, attempt }))
  return true
}

/** Returns the attempts in windows that a tab opened. */
const openedBy = async (tabId: number): Promise<PendingAttempt[]> =>
  Object.values(await tabTable.read()).flatMap(({ attempt }) =>
    attempt?.opener?.tabId === tabId && attempt.closedMs === null ? [attempt] : [],
  )

/**
 * Handles the state that a frame reports.
 *
 * @returns true if the frame should report further changes
 */
export async function onPageState(deps: LoginDeps, from: FromFrame, state: PageState): Promise<boolean> {
  const timeMs = Date.now()
  const { attempt } = await readTab(from.tabId)
  if (!attempt) {
    const isOpener = from.frameId === 0 && (await noteOpener(from.tabId, state))
    return (await onPasswordlessState(deps, from, state)) || isOpener
  }
  if (isExpired(attempt, timeMs)) {
    await failAttempt(from.tabId)
    return false
  }
  const report: FrameReport = {
    frameId: from.frameId,
    state,
    page: shortHash(pageOf(from.url)),
    namesSignIn: namesSignIn(from.url),
    frames: await framesOf(from.tabId),
    isQuiet: pendingScriptRequests.isQuiet(from.tabId, timeMs),
    hasSocket: await hasSocket(from.tabId),
    timeMs,
  }
  if (attempt.closedMs === null) return decideAttempt(deps, from.tabId, observe(attempt, report))
  return from.frameId === 0 && decideAttempt(deps, from.tabId, observeOpener(attempt, report))
}

/** Stores the appearance of a page while a login is pending in a window that it opened. */
async function noteOpener(tabId: number, state: PageState): Promise<boolean> {
  const opened = await openedBy(tabId)
  for (const { tabId: openedId } of opened)
    await changeTab(openedId, (tab) =>
      tab.attempt?.opener
        ? { ...tab, attempt: { ...tab.attempt, opener: { tabId, before: lookOf(state) } } }
        : tab,
    )
  return opened.length > 0
}

/** Returns what the tab waits for. The identity is included only for frames that can decide an attempt. */
export async function loginWatch({ tabId, frameId }: FromFrame): Promise<LoginWatch> {
  const { attempt } = await readTab(tabId)
  const mayDecide = frameId === 0 || frameId === attempt?.frameId
  const identity = (mayDecide && attempt?.identity) || null
  return { isWatched: await isWatched(tabId), identity: identity && shortHash(identity.toLowerCase()) }
}

/** Returns true if a tab waits for the outcome of an attempt, its own or that of a window that it opened. */
export async function isWatched(tabId: number): Promise<boolean> {
  const { attempt } = await readTab(tabId)
  if (attempt) return !isExpired(attempt, Date.now())
  return (await openedBy(tabId)).length > 0 || isPasswordlessPending(tabId)
}
