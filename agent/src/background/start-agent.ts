import { browser } from 'wxt/browser'
import { blockPageFacts, watchBlockedTabs } from '../block/block-watch.ts'
import {
  answerEnrollment,
  askForConsent,
  askForOpenPages,
  pendingEnrollment,
} from '../enroll/pending-enrollment.ts'
import { watchExtensions } from '../extensions/inventory.ts'
import { judgedAttempts } from '../logins/judgment/judgment-log.ts'
import type { ObservationKind } from '../logins/observation-messages.ts'
import { registerLogins } from '../logins/register-logins.ts'
import { endDeliveryWait } from '../outbox/deliver.ts'
import { sweepOutbox } from '../outbox/outbox-store.ts'
import { onReported } from '../outbox/report-event.ts'
import { framePolicy, pageBanner } from '../policy/page-policy.ts'
import { deliverNow, enforcePolicy, heartbeat, heartbeatIfDue, onEnrolled } from './agent-cycle.ts'
import { agentStatus } from './agent-status.ts'
import { listenToAlarms, onAlarm, wakeWithin } from './alarms.ts'
import { injectForFrame, injectInitialScripts, notifyFrame, watchFrames } from './inject-scripts.ts'
import { leaveTab } from './leave-tab.ts'
import { loginDeps } from './login-parts.ts'
import { type MessageHandlers, serveMessages } from './message-server.ts'
import { handlePageReport } from './page-reports.ts'

/** Delay for batching events that occur together. */
const batchDelayMs = 1000

/**
 * Starts the background and wires up its parts. Runs each time the browser wakes the background, so all listeners are
 * added before the first await.
 */
export function startAgent(): void {
  const observers = registerLogins(loginDeps)
  serveMessages({
    ...handlers,
    ...observers,
    loginAttempt: async (body, from) => {
      const isNoted = await observers.loginAttempt(body, from)
      if (isNoted) void notifyFrame(from)
      return isNoted
    },
  })
  watchFrames()
  watchBlockedTabs()
  watchExtensions()
  onAlarm('heartbeat', () => void heartbeat())
  onAlarm('deliver', () => void deliverNow())
  listenToAlarms()
  onReported(() => void wakeWithin('deliver', batchDelayMs))
  browser.storage.onChanged.addListener((_, area) => {
    if (area === 'managed') void heartbeat()
  })
  browser.runtime.onStartup.addListener(() => void onBrowserStart())
  browser.runtime.onInstalled.addListener(() => void onBrowserStart())
  void resumeWork()
}

/** Runs after the browser or the agent started. */
async function onBrowserStart(): Promise<void> {
  await sweepOutbox()
  await askForOpenPages()
  await heartbeat()
}

/** Resumes work that was interrupted when the background was stopped. */
async function resumeWork(): Promise<void> {
  await closeStorageToPages()
  await enforcePolicy()
  await heartbeatIfDue()
}

/**
 * Restricts storage to trusted contexts. Content scripts run in the processes of pages and must not read what the agent
 * stores, its credential above all.
 */
async function closeStorageToPages(): Promise<void> {
  const { local, session } = browser.storage as Partial<typeof browser.storage>
  await local?.setAccessLevel?.({ accessLevel: 'TRUSTED_CONTEXTS' })
  await session?.setAccessLevel?.({ accessLevel: 'TRUSTED_CONTEXTS' })
}

const handlers: Omit<MessageHandlers, ObservationKind> = {
  report: ({ report }, from) => handlePageReport(report, from),
  inject: ({ script }, from) => injectForFrame(from, script),
  pageOpened: (_, from) => injectInitialScripts(from),
  getPagePolicy: ({ hasWords }, from) => framePolicy(from.host, hasWords),
  getBanner: async (_, { frameId, host }) => (frameId === 0 ? pageBanner(host) : null),
  leavePage: async ({ to }, { tabId }) => {
    if (tabId !== null) await leaveTab(tabId, to)
    return tabId !== null
  },
  enrollmentPage: async (_, { frameId, tabId, url }) =>
    frameId === 0 && tabId !== null && (await askForConsent(url, tabId)),
  getStatus: () => agentStatus(),
  reportNow: async () => {
    await endDeliveryWait()
    await heartbeat()
    return agentStatus()
  },
  getPendingEnrollment: ({ request }) => pendingEnrollment(request),
  answerEnrollment: async ({ request, connect }) => {
    const result = await answerEnrollment(request, connect)
    if (result === 'CONNECTED') await onEnrolled()
    return result
  },
  getJudgments: () => judgedAttempts(),
  blockPage: (_, { tabId }) => blockPageFacts(tabId),
}
