import type { AgentEvent, ExtensionRisk, LoginEvent } from '@muster/contract/agent/agent-event'
import type { App } from '@muster/contract/records/app'
import type { Detection, detectionResponses, severities } from '@muster/contract/records/detection'

export type Severity = (typeof severities)[number]
export type Response = (typeof detectionResponses)[number]

/** Attack or risky action that an event reports. Becomes a detection, or is merged into an existing one. */
export interface DetectionSignal
  extends Pick<
    Detection,
    'detectionType' | 'severity' | 'response' | 'appId' | 'appType' | 'url' | 'referrerUrl'
  > {
  /** Object of the attack. Signals with the same employee, browser, type and subject can be one detection. */
  readonly subject: string
}

export type SignalApp = Pick<Detection, 'appId' | 'appType'>

export const noApp: SignalApp = { appId: null, appType: null }

/** Data of the organization that sources look up. */
export interface DetectionLookups {
  /** Risk of an extension on the organization's list; undefined if not listed. */
  riskOf(extensionId: string): ExtensionRisk | undefined
  /** ID of a catalog app; null if the organization does not have the app. */
  appIdOf(appType: string | null): string | null
  /** Account of a login, and its app if that is in the catalog; undefined for logins without an account. */
  accountOf(login: LoginEvent): { readonly accountId: string; readonly app: App | undefined } | undefined
}

type EventOf<K extends AgentEvent['kind']> = Extract<AgentEvent, { kind: K }>

/** Declaration of a source of detections: agent events to read, and the signals in them (domain contract, section 6). */
export interface DetectionSource<K extends AgentEvent['kind']> {
  readonly kinds: readonly K[]
  signalsIn(event: EventOf<K>, lookups: DetectionLookups): readonly DetectionSignal[]
}

/** Source of any kinds of events, for lists of sources. */
export interface AnyDetectionSource {
  readonly kinds: readonly AgentEvent['kind'][]
  signalsIn(event: AgentEvent, lookups: DetectionLookups): readonly DetectionSignal[]
}

/** Declares a source; infers the kinds of its events. */
export const detectionSource = <K extends AgentEvent['kind']>(
  declaration: DetectionSource<K>,
): DetectionSource<K> => declaration
