import { browser } from 'wxt/browser'
import type { AgentTrouble, PendingEnrollment } from '../messages.ts'
import { askServer } from '../server/agent-request.ts'
import { connection } from '../state/connection.ts'
import { stored } from '../state/stored.ts'
import { enrollBrowser } from './enroll-browser.ts'
import { decideLink, type EnrollmentLink, enrollmentLink } from './enrollment-decision.ts'
import { managedConfiguration } from './managed-configuration.ts'

/** Enrollment link that waits for the employee's decision on the consent page. Only the latest one is kept. */
interface Pending extends EnrollmentLink {
  /** ID of the question, so an old consent page cannot answer a newer one. */
  readonly request: string
  readonly tabId: number
  readonly expiresMs: number
}

const pending = stored<Pending | null>('pendingEnrollment', null)

/** Time within which the employee must decide. */
const lifetimeMs = 15 * 60_000

async function currentPending(request: string): Promise<Pending | null> {
  const waiting = await pending.read()
  return waiting?.request === request && Date.now() < waiting.expiresMs ? waiting : null
}

/** Pending consent request. Requests are serialized, or a page that is reported twice would open two consent pages. */
let lastConsentRequest: Promise<unknown> = Promise.resolve()

/**
 * Handles an opened enrollment page: asks the employee on the agent's own consent page, in a new tab of the same
 * window.
 *
 * @param address address of the page, as supplied by the browser
 * @returns true if the employee is asked
 */
export function askForConsent(address: string, openerTabId: number): Promise<boolean> {
  const asking = lastConsentRequest.then(() => openConsentPage(address, openerTabId))
  lastConsentRequest = asking.catch(() => undefined)
  return asking
}

async function openConsentPage(address: string, openerTabId: number): Promise<boolean> {
  const link = enrollmentLink(address)
  if (!link) return false
  if (decideLink(link, await managedConfiguration(), await connection.read()) === 'IGNORE') return false
  const before = await pending.read()
  const isAsked = before?.token === link.token && before.serverUrl === link.serverUrl
  if (isAsked && Date.now() < before.expiresMs && (await focusTab(before.tabId))) return true
  const request = crypto.randomUUID()
  const question = { ...link, request, expiresMs: Date.now() + lifetimeMs }
  // Stored before the tab exists: its page asks immediately and must find the question.
  await pending.change(() => ({ ...question, tabId: -1 }))
  const tab = await browser.tabs.create({
    url: `${browser.runtime.getURL('/enroll.html')}?request=${request}`,
    openerTabId,
  })
  await pending.change((now) => (now?.request === request ? { ...now, tabId: tab.id ?? -1 } : now))
  return true
}

/**
 * Asks for enrollment pages that were open before the agent was installed and therefore have no content script. Fetches
 * each page to verify it.
 */
export async function askForOpenPages(): Promise<void> {
  if (await connection.read()) return
  const tabs = await browser.tabs.query({ url: ['https://*/enroll/*', 'http://localhost/enroll/*'] })
  for (const { id, url } of tabs) {
    const link = enrollmentLink(url ?? '')
    if (!link || id === undefined || url === undefined) continue
    const page = await askServer({ ...link, path: `/enroll/${link.token}`, credential: null })
    if (page && /<meta name="muster-enrollment" content="1"/.test(page.text)) await askForConsent(url, id)
  }
}

async function focusTab(tabId: number): Promise<boolean> {
  try {
    await browser.tabs.update(tabId, { active: true })
    return true
  } catch {
    return false
  }
}

/** Returns the contents of the consent page; null if the question is no longer open. */
export async function pendingEnrollment(request: string): Promise<PendingEnrollment | null> {
  const waiting = await currentPending(request)
  if (!waiting) return null
  const current = await connection.read()
  const host = new URL(waiting.serverUrl).host
  return {
    host,
    replaces: current && current.state !== 'REVOKED' ? new URL(current.serverUrl).host : null,
  }
}

/** Handles the employee's answer. A question can be answered once, unless the server could not be reached. */
export async function answerEnrollment(
  request: string,
  connect: boolean,
): Promise<AgentTrouble | 'CONNECTED' | 'DECLINED' | 'DORMANT'> {
  const waiting = await currentPending(request)
  if (!waiting) return 'LINK_USED'
  if (!connect) {
    await pending.change(() => null)
    return 'DECLINED'
  }
  const result = await enrollBrowser(waiting, 'LINK')
  if (result !== 'UNREACHABLE' && result !== 'SERVER_ERROR') await pending.change(() => null)
  return result
}
