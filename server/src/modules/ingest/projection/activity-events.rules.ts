import type {
  AgentEvent,
  AppBannerEvent,
  LoginEvent,
  LoginType,
  PageThreat,
  PageThreatEvent,
} from '@muster/contract/agent/agent-event'
import type { AppBannerSeen } from '@muster/contract/events/event-controls'
import type { Login } from '@muster/contract/events/event-login'
import type { Browser } from '@muster/contract/records/browser'
import type { Banner } from '@muster/contract/records/controls'
import type { DetectionEmployee } from '@muster/contract/records/detection'

/** Contents of ACTIVITY and CONTROL events (events contract, section 3). */

/** Employee, browser and connection of a report. */
export interface ReportSource {
  readonly employee: DetectionEmployee
  readonly browser: Pick<Browser, 'browser' | 'os'>
  /** IP address; null if unknown. */
  readonly address: string | null
  readonly userAgent: string | null
}

/** Returns the facts about the browser; unknown ones are empty. */
const browserFacts = ({ browser: { browser, os }, address, userAgent }: ReportSource) => ({
  sourceIpAddress: address ?? '',
  browser,
  os,
  userAgent: userAgent ?? '',
})

/** Account on a catalog app. Only catalog apps count as work apps. */
export interface WorkAccount {
  readonly accountId: string
  readonly appType: string
  readonly appId: string
}

/**
 * Returns the content of a LOGIN event; without a work account, account and app are null.
 *
 * @param provider identity provider that the app itself is; a password login there is a login by that
 *   provider
 */
export function loginFacts(
  source: ReportSource,
  login: LoginEvent & { readonly loginType: LoginType },
  account: WorkAccount | undefined,
  provider: string | undefined,
): Login {
  const { password } = login
  const reasons = password?.weakReasons ?? []
  return {
    employeeId: source.employee.id,
    accountId: account?.accountId ?? null,
    appType: account?.appType ?? null,
    appId: account?.appId ?? null,
    email: login.email,
    loginTimestamp: login.timestamp,
    loginUrl: login.loginUrl,
    passwordManuallyTyped: password?.manuallyTyped ?? null,
    // Browsers do not say which program filled in a password.
    passwordManager: null,
    weakPassword: password ? reasons.length > 0 : null,
    weakPasswordReasons: reasons.length > 0 ? reasons : null,
    leakedPassword: password?.leaked ?? null,
    loginType: login.loginType,
    identityProvider: login.identityProvider ?? (password ? (provider ?? null) : null),
    ...browserFacts(source),
    workApp: account !== undefined,
    passwordId: password?.passwordId ?? null,
  }
}

/** Returns the facts about employee, page and browser in CONTROL events. */
export const pageFacts = (source: ReportSource, url: string | null, referrerUrl: string | null) => ({
  employee: source.employee,
  url,
  referrerUrl,
  ...browserFacts(source),
})

/** CONTROL events by threat of a page. */
export const threatObjects = {
  CLONED_LOGIN_PAGE: 'CLONED_LOGIN_PAGE_DETECTED',
  PHISHING_TOOL: 'PHISHING_TOOL_DETECTED',
  PROTECTED_PASSWORD_ENTERED: 'PROTECTED_PASSWORD_ENTERED',
  MALICIOUS_COPY_PASTE: 'MALICIOUS_COPY_PASTE_DETECTED',
} as const satisfies Record<PageThreat, string>

/** Returns the content of a CONTROL event about a page. */
export const threatFacts = (source: ReportSource, { url, referrerUrl, appType, mode }: PageThreatEvent) => ({
  ...pageFacts(source, url, referrerUrl),
  appType,
  mode,
})

/** Returns the content of an event about a login with a stolen password. */
export const stolenCredentialFacts = (
  source: ReportSource,
  login: LoginEvent,
  account: WorkAccount | undefined,
) => ({
  ...pageFacts(source, login.loginUrl, null),
  appType: account?.appType ?? null,
})

/** Returns the content of an event about a malicious extension; a disabled one counts as blocked. */
export const extensionFacts = (source: ReportSource, extensionId: string, disabled: boolean) => ({
  ...pageFacts(source, null, null),
  extensionId,
  mode: disabled ? ('BLOCK' as const) : ('MONITOR' as const),
})

/** Returns the content of an event about a banner. Agents report the host, not the URL. */
export const bannerFacts = (
  source: ReportSource,
  { action, reason }: AppBannerEvent,
  { title, subtext, mode, buttonText }: Banner,
  appType: string | null,
): AppBannerSeen => ({
  ...pageFacts(source, null, null),
  appType,
  appBanner: { title, subtext, mode, buttonText },
  action,
  reason,
})

/** Returns false for kinds of agent events that never become an event. */
export const canEmitEvent = ({ kind }: AgentEvent): boolean => kind !== 'HEARTBEAT' && kind !== 'VISIT'
