import type { AgentEvent, AppBannerEvent, PageThreatEvent } from '@muster/contract/agent-event'
import type { PolicyBanner, PolicyProtection } from '@muster/contract/agent-policy'
import { browser } from 'wxt/browser'
import type { WayOut } from './background/leave-tab.ts'
import { answerTo } from './lib/answered.ts'
import type { JudgedAttempt } from './logins/judgment/judgment-log.ts'
import type { ObservationMessages } from './logins/observation-messages.ts'
import type { FrameWords } from './observe/words/frame-words.ts'

/**
 * What the parts of the agent say to each other. Pages never take part: the background answers only the
 * extension's own contexts, and takes where a message comes from out of the browser's word for it, never
 * out of the message (`background/message-server.ts`).
 */

/** `Omit` that keeps the members of a union apart. */
type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

/** An event as the background's own parts report it: the outbox gives it its id and time. */
export type ReportableEvent = Without<AgentEvent, 'id' | 'timestamp'>

/** What a content script may report. The address, and with it the host, is that of the frame it runs in. */
export type PageReport =
  | Without<PageThreatEvent, 'id' | 'timestamp' | 'url'>
  | Without<AppBannerEvent, 'id' | 'timestamp' | 'host'>

/** The app that a page belongs to. */
export interface PageProduct {
  readonly appType: string
  readonly friendlyName: string
  readonly isIdentityProvider: boolean
}

/**
 * As much of the policy as the content script of one frame needs: it lives in the page's process, and what that
 * process need not know stays in the background.
 */
export interface PagePolicy {
  /** False while the browser is not enrolled or dormant: nothing is observed then. */
  readonly active: boolean
  readonly organizationName: string
  readonly contact: string | null
  /** Host of the frame as the browser tells it, and the registrable domain it is under. */
  readonly host: string
  readonly registrableHost: string
  /** The product of the catalog that the host belongs to; null outside it. */
  readonly product: PageProduct | null
  readonly maliciousCopyPaste: PolicyProtection
}

/** Policy of a frame as it is told. */
export interface FramePolicy extends PagePolicy {
  /** Words that fields and presses are recognized by; null if the frame has them, or nothing is observed. */
  readonly words: FrameWords | null
}

/** How the browser is connected, for the popup. */
export interface AgentStatus {
  readonly state: 'NOT_ENROLLED' | 'ENROLLED' | 'DORMANT'
  readonly host: string | null
  readonly organizationName: string | null
  readonly contact: string | null
  /** Whether device management set the server. */
  readonly managed: boolean
  /** When the server last answered a report; UNIX seconds, null if never. */
  readonly lastReportSeconds: number | null
  readonly queueLength: number
  /** Events that had no room, or that the server refused. */
  readonly lost: number
  readonly version: string
  /** Why the last attempt to report or to enroll failed; null if it did not. */
  readonly trouble: AgentTrouble | null
}

/** Why the agent cannot reach its server, as far as it can tell. */
export type AgentTrouble = 'UNREACHABLE' | 'REFUSED' | 'LINK_USED' | 'SERVER_ERROR'

/** A connection that waits for the employee's word. */
export interface PendingEnrollment {
  readonly host: string
  /** The host this browser is connected to now; null if none. */
  readonly replaces: string | null
}

/**
 * Every message: what is sent and what is answered. A new one is entered here and in
 * `background/message-shapes.ts`, which bounds it, and gets its handler where it belongs.
 */
export interface AgentMessages extends ObservationMessages {
  /** From content scripts: something was seen. The answer is false if it was not taken. */
  report: { readonly message: { readonly report: PageReport }; readonly answer: boolean }
  /** From the loader or the observer of a frame: it needs a script. The answer is false while nothing is observed. */
  inject: { readonly message: { readonly script: FrameScript }; readonly answer: boolean }
  /** From the loader of main frames: the page gets what it needs without asking, such as a banner. */
  pageOpened: { readonly message: Record<string, never>; readonly answer: boolean }
  /** From observers: the policy of this frame, and its words if it has none yet. */
  getPagePolicy: { readonly message: { readonly hasWords: boolean }; readonly answer: FramePolicy }
  /** From the banner's script: the banner of the page. */
  getBanner: { readonly message: Record<string, never>; readonly answer: PageBanner | null }
  /** From content scripts: the tab is to leave its page. */
  leavePage: { readonly message: { readonly to: WayOut }; readonly answer: boolean }
  /** From the content script of `/enroll/<token>`: the page asks to enroll. Token and host come from the address. */
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
  /** From the debug page: the judged attempts of this browser session. */
  getJudgments: { readonly message: Record<string, never>; readonly answer: readonly JudgedAttempt[] }
  /** From the block page: what was blocked in its tab. */
  blockPage: { readonly message: Record<string, never>; readonly answer: BlockPageFacts }
}

/** Scripts that a frame may ask for: the observer, and parts of it. */
export type FrameScript = 'observe' | 'login' | 'features' | 'warn'

/** A banner that a page has to show. */
export interface PageBanner {
  readonly banner: PolicyBanner
  readonly organizationName: string
}

/** What the block page says. */
export interface BlockPageFacts {
  /** The address that was asked for, without user, query and fragment; null if it is not known any more. */
  readonly url: string | null
  readonly pattern: string | null
  readonly organizationName: string | null
  readonly contact: string | null
}

export type MessageKind = keyof AgentMessages
export type MessageOf<K extends MessageKind> = AgentMessages[K]['message']
export type AnswerOf<K extends MessageKind> = AgentMessages[K]['answer']

/** What is on the wire between two contexts of the extension. */
export interface Envelope {
  readonly muster: MessageKind
  readonly body: unknown
}

/** What the background tells content scripts without being asked. */
export type Notice = { readonly notice: 'POLICY_CHANGED' | 'LOGIN_PENDING' }

/**
 * What is said once only. If the background was ended after it had acted, each of these would be a second login, a second
 * question or a second answer; how a page looks is told again as it changes, and must not be told late. A banner that is
 * reported twice by such a chance is better than an employee's word that is lost; of threats the server makes one.
 */
const saidOnce: ReadonlySet<MessageKind> = new Set([
  'federatedIdentity',
  'codeHandedIn',
  'pageState',
  'enrollmentPage',
  'leavePage',
  'reportNow',
  'answerEnrollment',
])

/** An agent that was updated or removed leaves its content scripts behind, and answers them no more. */
const isAgentThere = () => browser.runtime?.id !== undefined

/**
 * Sends a message to the background.
 *
 * @returns its answer; undefined, which never is one, if there is none: the message was refused, or the background
 * could not be reached
 */
export async function ask<K extends MessageKind>(
  kind: K,
  body: MessageOf<K>,
): Promise<AnswerOf<K> | undefined> {
  const envelope: Envelope = { muster: kind, body }
  const answer = await answerTo(
    async () => browser.runtime.sendMessage(envelope),
    () => !saidOnce.has(kind) && isAgentThere(),
  )
  return answer as AnswerOf<K> | undefined
}

/** Calls back when the background says that the policy changed. For content scripts. */
export function onNotice(callback: (notice: Notice) => void): void {
  browser.runtime.onMessage.addListener((message: unknown) => {
    if (typeof message === 'object' && message !== null && 'notice' in message) callback(message as Notice)
  })
}
