import type { AgentEvent, AppBannerEvent, PageThreatEvent } from '@muster/contract/agent/agent-event'
import type { PolicyBanner, PolicyProtection } from '@muster/contract/agent/agent-policy'
import { browser } from 'wxt/browser'
import type { LeaveTarget } from './background/leave-tab.ts'
import { sendWithRetry } from './lib/send-with-retry.ts'
import type { JudgedAttempt } from './logins/judgment/judgment-log.ts'
import type { ObservationMessages } from './logins/observation-messages.ts'
import type { FrameWords } from './observe/words/frame-words.ts'

/**
 * Messages between the parts of the agent. Pages never take part: the background answers only the extension's own
 * contexts, and takes a message's origin from the browser, never from the message (`background/message-server.ts`).
 */

/** `Omit` that distributes over unions. */
type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

/** Event reported by the background. The outbox adds ID and time. */
export type ReportableEvent = Without<AgentEvent, 'id' | 'timestamp'>

/** Event that a content script may report. The background adds the address and host of its frame. */
export type PageReport =
  | Without<PageThreatEvent, 'id' | 'timestamp' | 'url'>
  | Without<AppBannerEvent, 'id' | 'timestamp' | 'host'>

/** App that a page belongs to. */
export interface PageProduct {
  readonly appType: string
  readonly friendlyName: string
  readonly isIdentityProvider: boolean
}

/**
 * Part of the policy that a frame's content script needs. It lives in the page's process, so everything else stays in
 * the background.
 */
export interface PagePolicy {
  /** False while the browser is not enrolled or dormant: observation is then off. */
  readonly active: boolean
  readonly organizationName: string
  readonly contact: string | null
  /** Host of the frame as supplied by the browser, and its registrable domain. */
  readonly host: string
  readonly registrableHost: string
  /** Catalog product that the host belongs to; null outside the catalog. */
  readonly product: PageProduct | null
  readonly maliciousCopyPaste: PolicyProtection
}

/** Policy as sent to a frame. */
export interface FramePolicy extends PagePolicy {
  /** Words for recognizing fields and presses; null if the frame has them or observation is off. */
  readonly words: FrameWords | null
}

/** State of the connection, for the popup. */
export interface AgentStatus {
  readonly state: 'NOT_ENROLLED' | 'ENROLLED' | 'DORMANT'
  readonly host: string | null
  readonly organizationName: string | null
  readonly contact: string | null
  /** True if device management set the server. */
  readonly managed: boolean
  /** Time of the server's last response to a report; UNIX seconds, null if there was none. */
  readonly lastReportSeconds: number | null
  readonly queueLength: number
  /** Number of events that did not fit in the queue or that the server refused. */
  readonly lost: number
  readonly version: string
  /** Reason why the last report or enrollment failed; null if it did not. */
  readonly trouble: AgentTrouble | null
}

/** Reason why the agent cannot reach its server, as far as known. */
export type AgentTrouble = 'UNREACHABLE' | 'REFUSED' | 'LINK_USED' | 'SERVER_ERROR'

/** Connection that waits for the employee's decision. */
export interface PendingEnrollment {
  readonly host: string
  /** Host that this browser is connected to now; null if none. */
  readonly replaces: string | null
}

/**
 * All messages with their answers. A new message is added here and in `background/message-shapes.ts`, which limits it.
 */
interface AgentMessages extends ObservationMessages {
  /** From content scripts: an event. The answer is false if it was not accepted. */
  report: { readonly message: { readonly report: PageReport }; readonly answer: boolean }
  /** From the loader or observer of a frame: requests a script. The answer is false while observation is off. */
  inject: { readonly message: { readonly script: FrameScript }; readonly answer: boolean }
  /** From the loader of main frames: the page gets what it does not request itself, such as a banner. */
  pageOpened: { readonly message: Record<string, never>; readonly answer: boolean }
  /** From observers: requests the policy of this frame, and its words if missing. */
  getPagePolicy: { readonly message: { readonly hasWords: boolean }; readonly answer: FramePolicy }
  /** From the banner script: requests the banner of the page. */
  getBanner: { readonly message: Record<string, never>; readonly answer: PageBanner | null }
  /** From content scripts: asks the tab to leave its page. */
  leavePage: { readonly message: { readonly to: LeaveTarget }; readonly answer: boolean }
  /**
   * From the content script of `/enroll/<token>`: an enrollment page was opened. Token and host come from the address.
   */
  enrollmentPage: { readonly message: Record<string, never>; readonly answer: boolean }
  /** From the agent's own pages. */
  getStatus: { readonly message: Record<string, never>; readonly answer: AgentStatus }
  reportNow: { readonly message: Record<string, never>; readonly answer: AgentStatus }
  getPendingEnrollment: {
    readonly message: { readonly request: string }
    readonly answer: PendingEnrollment | null
  }
  answerEnrollment: {
    readonly message: { readonly request: string; readonly connect: boolean }
    readonly answer: AgentTrouble | 'CONNECTED' | 'DECLINED' | 'DORMANT'
  }
  /** From the debug page: requests the judged attempts of this browser session. */
  getJudgments: { readonly message: Record<string, never>; readonly answer: readonly JudgedAttempt[] }
  /** From the block page: requests what was blocked in its tab. */
  blockPage: { readonly message: Record<string, never>; readonly answer: BlockPageFacts }
}

/** Scripts that a frame may request: the observer and its parts. */
export type FrameScript = 'observe' | 'login' | 'features' | 'warn'

/** Banner that a page must show. */
export interface PageBanner {
  readonly banner: PolicyBanner
  readonly organizationName: string
}

/** Contents of the block page. */
export interface BlockPageFacts {
  /** Blocked address without user, query and fragment; null if no longer known. */
  readonly url: string | null
  readonly pattern: string | null
  readonly organizationName: string | null
  readonly contact: string | null
}

export type MessageKind = keyof AgentMessages
export type MessageOf<K extends MessageKind> = AgentMessages[K]['message']
export type AnswerOf<K extends MessageKind> = AgentMessages[K]['answer']

/** Wire format between two contexts of the extension. */
export interface Envelope {
  readonly muster: MessageKind
  readonly body: unknown
}

/** Notice that the background sends to content scripts. */
export type Notice = { readonly notice: 'POLICY_CHANGED' | 'LOGIN_PENDING' }

/**
 * Messages that are never repeated. If the background was stopped after it handled one, a repeat would be a second
 * login, question or answer. `pageState` is sent again when the page changes and must not arrive late. A duplicate
 * banner report is better than a lost answer of the employee, and the server merges duplicate threats.
 */
const neverRepeated: ReadonlySet<MessageKind> = new Set([
  'federatedIdentity',
  'codeHandedIn',
  'pageState',
  'enrollmentPage',
  'leavePage',
  'reportNow',
  'answerEnrollment',
])

/** Returns false after the agent was updated or removed, which leaves content scripts behind without a background. */
const isAgentAlive = () => browser.runtime?.id !== undefined

/**
 * Sends a message to the background.
 *
 * @returns the answer; undefined, which is never an answer, if the message was refused or the background could not be
 * reached
 */
export async function ask<K extends MessageKind>(
  kind: K,
  body: MessageOf<K>,
): Promise<AnswerOf<K> | undefined> {
  const envelope: Envelope = { muster: kind, body }
  const answer = await sendWithRetry(
    async () => browser.runtime.sendMessage(envelope),
    () => !neverRepeated.has(kind) && isAgentAlive(),
  )
  return answer as AnswerOf<K> | undefined
}

/** Calls back on notices from the background. For content scripts. */
export function onNotice(callback: (notice: Notice) => void): void {
  browser.runtime.onMessage.addListener((message: unknown) => {
    if (typeof message === 'object' && message !== null && 'notice' in message) callback(message as Notice)
  })
}
