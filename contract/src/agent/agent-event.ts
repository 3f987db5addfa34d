import { type Static, type TSchema, Type } from 'typebox'
import { closed, flag, id, listOf, nullable, oneOf, text, timestamp, url } from '../api/fields.ts'
import { mfaMethods } from '../records/account.ts'
import { browserKinds, operatingSystems } from '../records/browser.ts'
import { deploymentModes } from '../records/browser-extension.ts'
import { detectionResponses } from '../records/detection.ts'
import { weakPasswordReasons } from '../records/finding.ts'

/**
 * Events that an agent reports (domain contract, section 2). The agent generates the ID of each event, which identifies
 * repeats. The content is untrusted, so its size is limited here.
 */

const uuidV7Pattern = '^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$'
const uuidPattern = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'

const uuid = (description: string, example = '6f1d9c1e-0b6f-4c39-9b55-3f6f2f0f8a11') =>
  Type.String({ description, examples: [example], minLength: 36, maxLength: 36, pattern: uuidPattern })

const eventId = Type.String({
  description: 'UUIDv7 that the agent made when it saw what it reports. A repeated id changes nothing.',
  examples: ['01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90'],
  minLength: 36,
  maxLength: 36,
  pattern: uuidV7Pattern,
})

const appType = nullable(text('App type in the catalog; null if unknown.', 'ZAPIER', 64, 1))
const hostName = (description: string) => text(description, 'app.example.com', 253, 1)
const pageUrl = url(
  'The address of the page, without user, query and fragment.',
  'https://app.example.com/login',
)
const referrerUrl = nullable(
  url('Referrer URL, without user, query and fragment; null if unknown.', 'https://mail.example.com/'),
)

/** Login types that an agent distinguishes. */
export const loginTypes = [
  'PASSWORD_LOGIN',
  'OIDC_LOGIN',
  'SAML_LOGIN',
  'OKTA_SWA_LOGIN',
  'VENDOR_SSO_LOGIN',
  'FEDCM_LOGIN',
] as const
export type LoginType = (typeof loginTypes)[number]

/**
 * All login types of the agent protocol, including passkey-only logins and one-time links or codes. The latter create an
 * account record but are no login methods (ADR 0040). Older servers refuse such events.
 */
export const agentLoginTypes = [...loginTypes, 'PASSKEY_LOGIN', 'ONE_TIME_LOGIN'] as const
export type AgentLoginType = (typeof agentLoginTypes)[number]

export const isLoginType = (type: AgentLoginType): type is LoginType =>
  (loginTypes as readonly string[]).includes(type)

export const pageThreats = [
  'PROTECTED_PASSWORD_ENTERED',
  'CLONED_LOGIN_PAGE',
  'PHISHING_TOOL',
  'MALICIOUS_COPY_PASTE',
] as const
export type PageThreat = (typeof pageThreats)[number]

/** Modes of a protection that reports. `OFF` is missing because nothing is reported then. */
export const protectionModes = ['MONITOR', 'WARN', 'BLOCK'] as const
export type ProtectionMode = (typeof protectionModes)[number]

export const extensionRisks = ['LOW', 'MEDIUM', 'HIGH'] as const
export type ExtensionRisk = (typeof extensionRisks)[number]

export const bannerModes = ['INFORM', 'ACKNOWLEDGE', 'REASON', 'BLOCK'] as const
export type BannerMode = (typeof bannerModes)[number]

/** The facts of a browser, as its agent knows them. */
export const browserFacts = {
  browser: oneOf(browserKinds, 'The kind of browser.', 'CHROME'),
  version: text('Version of the browser.', '142.0.7444.60', 128),
  os: oneOf(operatingSystems, 'The operating system.', 'MACOS'),
  extensionVersion: text('Version of the agent.', '0.1.0', 128),
  language: nullable(text('The language the browser is set to; null if unknown.', 'en-GB', 64)),
  profileEmail: nullable(
    text(
      'The e-mail address of the browser profile; null if there is none.',
      'ada.byron@example.com',
      254,
      1,
    ),
  ),
  profileSyncEnabled: nullable(flag('True if the profile is synchronized; null if unknown.', false)),
}

export const BrowserFacts = closed(browserFacts, { description: 'The facts of a browser.' })
export type BrowserFacts = Static<typeof BrowserFacts>

/** An extension as `chrome.management` lists it. */
export const ExtensionFacts = closed(
  {
    extensionId: text('Static identifier of the extension.', 'cjpalhdlnbpafiamejdnhcphjbkeiagm', 256, 1),
    name: text('Name of the extension.', 'uBlock Origin', 10_000),
    description: text('Description of the extension.', 'An efficient blocker.', 10_000),
    deploymentMode: oneOf(deploymentModes, 'Installation method.', 'MANUAL'),
    permissions: listOf(
      text('A permission.', 'storage', 2048),
      'Permissions it requires.',
      ['storage'],
      1000,
    ),
    hostPermissions: listOf(
      text('A URL match pattern.', 'https://*/*', 4096),
      'URL match patterns with which it may interact.',
      ['https://*/*'],
      10_000,
    ),
    version: text('Version of the extension.', '1.58.0', 256),
    versionName: nullable(text('Version label shown to the user; null if none.', '1.58.0 beta', 1024)),
    enabled: flag('True if it is enabled.'),
    disabledReason: nullable(
      text('Reason why it was disabled; null if it was not.', 'permissions_increase', 1024),
    ),
    updateUrl: nullable(url('Update URL; null if none.', 'https://clients2.google.com/service/update2/crx')),
    homePageUrl: nullable(url('Its home page; null if none.', 'https://example.com/extension')),
  },
  { description: 'An extension that is installed in the browser.' },
)
export type ExtensionFacts = Static<typeof ExtensionFacts>

/** Facts about a used password. None of them helps to guess it. */
export const PasswordFacts = closed(
  {
    passwordId: uuid('Random id that stands for the password in this browser: equal passwords share it.'),
    manuallyTyped: nullable(flag('True if it was typed by hand; null if that could not be seen.')),
    weakReasons: listOf(
      oneOf(weakPasswordReasons, 'Reason why a password is weak.', 'TOO_SHORT'),
      'Reasons why it is weak; empty if it is not.',
      ['TOO_SHORT'],
      weakPasswordReasons.length,
      { uniqueItems: true },
    ),
    leaked: nullable(
      flag('True if the range service knows the password; null if it was not checked.', false),
    ),
    reused: flag('True if this browser saw it on more than one app.', false),
    stolenIds: nullable(
      listOf(
        uuid('ID of a stolen credential.'),
        'The stolen credentials that it matched; null if that was not checked.',
        [],
        64,
        { uniqueItems: true },
      ),
    ),
  },
  { description: 'Facts about the password of a login.' },
)
export type PasswordFacts = Static<typeof PasswordFacts>

const event = <const K extends string, const P extends Record<string, TSchema>>(
  kind: K,
  description: string,
  properties: P,
) =>
  closed(
    {
      id: eventId,
      kind: Type.Literal(kind, { description: 'The kind of event.', examples: [kind] }),
      timestamp: timestamp('Time when the agent saw it; UNIX seconds.'),
      ...properties,
    },
    { description },
  )

export const HeartbeatEvent = event('HEARTBEAT', 'The browser is there, with its facts.', browserFacts)
export type HeartbeatEvent = Static<typeof HeartbeatEvent>

export const ExtensionsEvent = event(
  'EXTENSIONS',
  'All extensions of the browser; what is not listed is gone.',
  {
    extensions: listOf(ExtensionFacts, 'The extensions.', [], 500),
  },
)
export type ExtensionsEvent = Static<typeof ExtensionsEvent>

export const LoginEvent = event('LOGIN', 'A login that succeeded.', {
  loginUrl: pageUrl,
  email: text('The e-mail address or user name.', 'ada.byron@example.com', 254, 1),
  loginType: oneOf(agentLoginTypes, 'Login method.', 'PASSWORD_LOGIN'),
  identityProvider: nullable(
    text('App type of the identity provider; null if none.', 'GOOGLE_WORKSPACE', 64, 1),
  ),
  password: Type.Union([PasswordFacts, Type.Null()], {
    description: 'The facts of the password; null for a login without one.',
    examples: [null],
  }),
  mfa: Type.Union(
    [
      closed(
        { method: nullable(oneOf(mfaMethods, 'The kind of second factor; null if unknown.', 'APP_TOTP')) },
        { description: 'A second step.' },
      ),
      Type.Null(),
    ],
    { description: 'The second step that was seen; null if there was none.', examples: [null] },
  ),
})
export type LoginEvent = Static<typeof LoginEvent>

export const VisitEvent = event('VISIT', 'A page of an app was open.', {
  host: hostName('The host of the page.'),
})
export type VisitEvent = Static<typeof VisitEvent>

export const BlockedUrlVisitedEvent = event(
  'BLOCKED_URL_VISITED',
  'A blocked address was about to be opened.',
  {
    url: pageUrl,
    referrerUrl,
    blockedUrlId: id('ID of the blocked URL whose pattern it matched.'),
  },
)
export type BlockedUrlVisitedEvent = Static<typeof BlockedUrlVisitedEvent>

export const PageThreatEvent = event('PAGE_THREAT', 'A page attacked the employee.', {
  threat: oneOf(pageThreats, 'Kind of the threat.', 'CLONED_LOGIN_PAGE'),
  url: pageUrl,
  referrerUrl,
  mode: oneOf(protectionModes, 'Mode of the protection.', 'WARN'),
  response: oneOf(detectionResponses, 'Response of the browser or of the employee.', 'EMPLOYEE_WARNED'),
  passwordEntered: flag('True if the page was given the password.', false),
  appType,
})
export type PageThreatEvent = Static<typeof PageThreatEvent>

export const ExtensionThreatEvent = event('EXTENSION_THREAT', 'An extension of the bad list was found.', {
  extensionId: text('Static identifier of the extension.', 'cjpalhdlnbpafiamejdnhcphjbkeiagm', 256, 1),
  risk: oneOf(extensionRisks, 'Risk of the extension.', 'HIGH'),
  disabled: flag('True if it is disabled now.'),
})
export type ExtensionThreatEvent = Static<typeof ExtensionThreatEvent>

export const AppBannerEvent = event('APP_BANNER', 'A banner was shown on an app.', {
  bannerId: text('The banner as the policy names it.', 'genai', 64, 1),
  host: hostName('The host of the page.'),
  action: oneOf(['DISPLAYED', 'ACKNOWLEDGED'] as const, 'Action of the employee.', 'DISPLAYED'),
  reason: nullable(text('Reason given by the employee; null if not asked.', 'Needed for a customer.', 1000)),
})
export type AppBannerEvent = Static<typeof AppBannerEvent>

/** Every kind of event, by its name. */
export const agentEvents = {
  HEARTBEAT: HeartbeatEvent,
  EXTENSIONS: ExtensionsEvent,
  LOGIN: LoginEvent,
  VISIT: VisitEvent,
  BLOCKED_URL_VISITED: BlockedUrlVisitedEvent,
  PAGE_THREAT: PageThreatEvent,
  EXTENSION_THREAT: ExtensionThreatEvent,
  APP_BANNER: AppBannerEvent,
} as const

export type AgentEvent = {
  [K in keyof typeof agentEvents]: Static<(typeof agentEvents)[K]>
}[keyof typeof agentEvents]

/** Bounds of one batch (domain contract, section 2). */
export const eventsPerBatchMaximum = 500
export const batchBytesMaximum = 1024 * 1024
/** Maximum size of a batch after decompression. */
export const batchUnpackedBytesMaximum = 8 * 1024 * 1024

export interface BatchRejection {
  /** Place of the event in the batch, from 0. */
  readonly index: number
  readonly code: 'invalid_event' | 'unknown_kind' | 'too_old' | 'in_the_future'
  readonly message: string
}

/** Response to a batch. */
export interface BatchAnswer {
  readonly accepted: number
  readonly duplicates: number
  readonly rejected: readonly BatchRejection[]
  readonly policyVersion: string
}

/** Response to a browser whose employee is not licensed or was merged. */
export interface DormantAnswer {
  readonly dormant: true
}
