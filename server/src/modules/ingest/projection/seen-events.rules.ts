import type {
  AgentEvent,
  AppBannerEvent,
  LoginEvent,
  LoginType,
  PageThreat,
  PageThreatEvent,
} from '@muster/contract/agent-event'
import type { Browser } from '@muster/contract/browser'
import type { Banner } from '@muster/contract/controls'
import type { DetectionEmployee } from '@muster/contract/detection'
import type { AppBannerSeen } from '@muster/contract/event-controls'
import type { Login } from '@muster/contract/event-login'

/** What ACTIVITY and CONTROL events tell of what a browser has reported (events contract, section 3). */

/** Whom and where a report is from. */
export interface SeenBy {
  readonly employee: DetectionEmployee
  readonly browser: Pick<Browser, 'browser' | 'os'>
  /** The IP address; null if unknown. */
  readonly address: string | null
  readonly userAgent: string | null
}

/** What is told of the browser; empty where it is unknown. */
const browserFacts = ({ browser: { browser, os }, address, userAgent }: SeenBy) => ({
  sourceIpAddress: address ?? '',
  browser,
  os,
  userAgent: userAgent ?? '',
})

/** An account on an app of the catalog: only such apps count as used for work. */
export interface WorkAccount {
  readonly accountId: string
  readonly appType: string
  readonly appId: string
}

/**
 * What is told of a login. Without an account for work, none of it and its app is told.
 *
 * @param provider the identity provider that the app itself is: a login there is one by that provider
 */
export function loginSeen(
  by: SeenBy,
  login: LoginEvent & { readonly loginType: LoginType },
  account: WorkAccount | undefined,
  provider: string | undefined,
): Login {
  const { password } = login
  const reasons = password?.weakReasons ?? []
  return {
    employeeId: by.employee.id,
    accountId: account?.accountId ?? null,
    appType: account?.appType ?? null,
    appId: account?.appId ?? null,
    email: login.email,
    loginTimestamp: login.timestamp,
    loginUrl: login.loginUrl,
    passwordManuallyTyped: password?.manuallyTyped ?? null,
    // Browsers do not say which program has filled a password in.
    passwordManager: null,
    weakPassword: password ? reasons.length > 0 : null,
    weakPasswordReasons: reasons.length > 0 ? reasons : null,
    leakedPassword: password?.leaked ?? null,
    loginType: login.loginType,
    identityProvider: login.identityProvider ?? (password ? (provider ?? null) : null),
    ...browserFacts(by),
    workApp: account !== undefined,
    passwordId: password?.passwordId ?? null,
  }
}

/** What events of controls tell of the place. */
export const placeSeen = (by: SeenBy, url: string | null, referrerUrl: string | null) => ({
  employee: by.employee,
  url,
  referrerUrl,
  ...browserFacts(by),
})

/** The events of controls by what a page did. */
export const threatObjects = {
  CLONED_LOGIN_PAGE: 'CLONED_LOGIN_PAGE_DETECTED',
  PHISHING_TOOL: 'PHISHING_TOOL_DETECTED',
  PROTECTED_PASSWORD_ENTERED: 'PROTECTED_PASSWORD_ENTERED',
  MALICIOUS_COPY_PASTE: 'MALICIOUS_COPY_PASTE_DETECTED',
} as const satisfies Record<PageThreat, string>

/** What is told of a page that met a control. */
export const threatSeen = (by: SeenBy, { url, referrerUrl, appType, mode }: PageThreatEvent) => ({
  ...placeSeen(by, url, referrerUrl),
  appType,
  mode,
})

/** What is told of a login with a stolen password. */
export const stolenSeen = (by: SeenBy, login: LoginEvent, account: WorkAccount | undefined) => ({
  ...placeSeen(by, login.loginUrl, null),
  appType: account?.appType ?? null,
})

/** What is told of a malicious extension: one that is disabled was blocked. */
export const extensionSeen = (by: SeenBy, extensionId: string, disabled: boolean) => ({
  ...placeSeen(by, null, null),
  extensionId,
  mode: disabled ? ('BLOCK' as const) : ('MONITOR' as const),
})

/** What is told of a banner. Browsers say on which host it was, and not at which address. */
export const bannerSeen = (
  by: SeenBy,
  { action, reason }: AppBannerEvent,
  { title, subtext, mode, buttonText }: Banner,
  appType: string | null,
): AppBannerSeen => ({
  ...placeSeen(by, null, null),
  appType,
  appBanner: { title, subtext, mode, buttonText },
  action,
  reason,
})

/** Whether events may tell of what was reported. */
export const mayBeSeen = ({ kind }: AgentEvent): boolean => kind !== 'HEARTBEAT' && kind !== 'VISIT'
