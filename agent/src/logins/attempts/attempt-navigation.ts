import { registrableHost } from '@muster/contract/catalog/catalog'
import { shortHash } from '../../lib/short-hash.ts'
import type { LoginFact } from '../judgment/fact-weights.ts'
import { judge } from '../judgment/judge.ts'
import { logJudgment } from '../judgment/judgment-log.ts'
import { closedFacts } from '../judgment/login-facts.ts'
import type { LoginDeps } from '../login-deps.ts'
import { changeTab, readTab } from '../tab-logins.ts'
import { type PendingAttempt, pageOf, wasClear } from './attempt.ts'
import { forgetOpenedTab, openerTabOf } from './opener-tabs.ts'
import { completeAttempt, dropAttempt, notifyMainFrame, settleLeftAttempt } from './track-attempts.ts'

/** Document that was committed in a frame of a tab. */
export interface CommittedDocument {
  readonly tabId: number
  readonly frameId: number
  readonly url: string
  readonly transitionType?: string
  readonly transitionQualifiers?: readonly string[]
  /** True if no page began the navigation: an address was typed, or opened by a bookmark or another program. */
  readonly isByBrowser?: boolean
}

/** Transitions caused by the user rather than the page: the employee went elsewhere. */
const userTransitions = new Set(['typed', 'generated', 'keyword', 'auto_bookmark', 'start_page'])

export const isUserNavigation = ({ transitionType = '', isByBrowser = false }: CommittedDocument): boolean =>
  userTransitions.has(transitionType) || (transitionType === 'link' && isByBrowser)

const siteOf = (address: string) => registrableHost(URL.parse(address)?.hostname ?? '')

/**
 * Returns true if a server answered the form, and the employee left for another page of the same origin before the outcome
 * was clear. The new page then shows whether the employee is signed in.
 */
const isLeftEarly = (attempt: PendingAttempt, address: string) =>
  (attempt.documents > 0 || attempt.answers.accepted > 0) &&
  attempt.secondStep === null &&
  !wasClear(attempt, Date.now()) &&
  URL.parse(address)?.origin === new URL(attempt.url).origin

/**
 * Returns true if the page shows an error about a second step. A link that leaves such a page was followed by the employee:
 * pages clear the error when a code is submitted again.
 */
const isStepRefused = ({ secondStep, facts }: PendingAttempt) =>
  secondStep !== null && (facts.includes('NEW_ERROR_AT_FORM') || facts.includes('NEW_ERROR'))

/** Stores the HTTP status of a document in the tab's main frame or in the frame with the form. */
export async function noteDocumentStatus(tabId: number, frameId: number, status: number): Promise<void> {
  await changeTab(tabId, (tab) => {
    const { attempt } = tab
    if (!attempt || (frameId !== 0 && frameId !== attempt.frameId)) return tab
    return { ...tab, attempt: { ...attempt, answers: { ...attempt.answers, documentStatus: status } } }
  })
}

/** Handles a new document in a frame: the response to a form, or a page that the employee moved on to. */
export async function onAttemptCommitted(deps: LoginDeps, details: CommittedDocument): Promise<void> {
  const { tabId, frameId, url, transitionQualifiers = [] } = details
  const { attempt } = await readTab(tabId)
  if (!attempt || (frameId !== 0 && frameId !== attempt.frameId)) return
  if (attempt.closedMs !== null) return
  const isBack = transitionQualifiers.includes('forward_back')
  const isOwn = frameId === 0 && (isUserNavigation(details) || isBack)
  if (isOwn && !isLeftEarly(attempt, url)) return settleLeftAttempt(deps, tabId)
  const isByScript = transitionQualifiers.includes('client_redirect')
  const isLink = !isByScript && details.transitionType === 'link'
  if (isLink && isStepRefused(attempt)) return settleLeftAttempt(deps, tabId)
  const isFollowed = wasClear(attempt, Date.now()) && isLink
  if (isFollowed && siteOf(url) !== siteOf(attempt.url)) return settleLeftAttempt(deps, tabId)
  const facts = new Set<LoginFact>([...attempt.facts, 'WENT_ON'])
  if (isFollowed) {
    const judgment = judge(facts)
    if (judgment.outcome === 'SUCCEEDED') {
      await logJudgment(attempt, judgment)
      return completeAttempt(deps, tabId)
    }
  }
  await changeTab(tabId, (tab) => ({
    ...tab,
    attempt: tab.attempt && {
      ...tab.attempt,
      documents: tab.attempt.documents + (isBack ? 0 : 1),
      documentPage: shortHash(pageOf(url)),
      clear: null,
      wentOn: tab.attempt.wentOn || isFollowed,
      isLeftEarly: tab.attempt.isLeftEarly || isOwn,
      isRestored: isBack,
    },
  }))
}

/**
 * Handles the start of a sign-in with an identity provider, in this tab or in a window that it opened. The employee is
 * then not signing in with a password submitted earlier, unless the evidence so far says that the password worked.
 */
export async function onFlowStarted(deps: LoginDeps, tabId: number): Promise<void> {
  await settleLeftAttempt(deps, tabId)
  const openerId = await openerTabOf(tabId)
  if (openerId !== null) await settleLeftAttempt(deps, openerId)
}

/** Facts that rule out that a window closed because its login succeeded. */
const failureFacts: readonly LoginFact[] = [
  'SAME_FORM',
  'FORM_OUTLIVES_ANSWER',
  'SECOND_STEP_ASKED',
  'NEW_ERROR',
]

/**
 * Handles the closing of a tab with a pending attempt. Login popups often close themselves on success, so the opener's
 * page is watched for the outcome.
 */
export async function onAttemptClosed(deps: LoginDeps, tabId: number): Promise<void> {
  await forgetOpenedTab(tabId)
  const { attempt, checked } = await readTab(tabId)
  if (!attempt) return
  const { opener } = attempt
  const mayBeLogin = !failureFacts.some((fact) => attempt.facts.includes(fact))
  const closed: PendingAttempt = { ...attempt, closedMs: Date.now() }
  if (wasClear(attempt, Date.now()) || !opener || !mayBeLogin) return settleLeftAttempt(deps, tabId)
  const { attempt: other } = await readTab(opener.tabId)
  if (other) return settleLeftAttempt(deps, tabId)
  await logJudgment(closed, judge(closedFacts(closed)))
  await changeTab(opener.tabId, (tab) => ({ ...tab, attempt: closed, checked }))
  await dropAttempt(tabId)
  await notifyMainFrame(opener.tabId)
}
