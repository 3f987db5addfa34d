import type { BannerMode, ExtensionRisk } from './agent-event.ts'
import type { ControlMode } from './controls.ts'

/**
 * The policy of one browser (`GET /agent/v1/policy`, domain contract, section 7): all that its agent must
 * know to protect, decided by the server from the controls, the employee and the apps. The ETag is the
 * version in quotes.
 */
export interface AgentPolicy {
  /** Changes with the content: a hash of it. */
  readonly version: string
  /** How often the agent reports that it is there. */
  readonly heartbeatSeconds: number
  /** Empty while the organization has no name of its own. */
  readonly organizationName: string
  /** Whom the employee may ask; null if nobody was named. */
  readonly contact: string | null
  readonly blockedUrls: readonly PolicyBlockedUrl[]
  readonly protectedPasswords: PolicyProtection
  /** The apps whose passwords are protected, as the catalog names them. */
  readonly protectedAppTypes: readonly string[]
  readonly clonedLoginPages: PolicyProtection
  readonly phishingTools: PolicyProtection
  readonly maliciousCopyPaste: PolicyProtection
  /**
   * The banner of an app, by the catalog's token; for apps (other) by registrable domain. One with neither is that of
   * every other app of the catalog.
   */
  readonly banners: readonly PolicyBanner[]
  readonly blockedExtensionIds: readonly string[]
  readonly badExtensions: readonly { readonly extensionId: string; readonly risk: ExtensionRisk }[]
  readonly restrictedWords: readonly string[]
  /** Whether leaked passwords are looked up at `GET /agent/v1/range/{prefix}`. */
  readonly leakedLookup: boolean
  /** What passwords of this employee's addresses are compared with (domain contract, section 3). */
  readonly stolenCredentials: readonly PolicyStolenCredential[]
  /** With what the employee signs in for work: an address, or `@` and a domain for all that have it. Lower case. */
  readonly workIdentities: readonly string[]
  /** Products that the organization added to the catalog. */
  readonly products: readonly PolicyProduct[]
}

export interface PolicyBlockedUrl {
  readonly id: string
  /** The pattern as `/v1/controls/blockedUrls` shows it. */
  readonly url: string
}

export interface PolicyProtection {
  readonly mode: ControlMode
  /** Modes of single apps, by the catalog's token, that differ. */
  readonly byApp: Readonly<Record<string, ControlMode>>
}

export interface PolicyBanner {
  readonly id: string
  /** Null for a banner on a domain outside the catalog, and on every app of the catalog without a banner of its own. */
  readonly appType: string | null
  readonly domain: string | null
  readonly mode: BannerMode
  readonly title: string
  readonly subtext: string
  readonly buttonText: string | null
}

export interface PolicyStolenCredential {
  readonly id: string
  /** 16 bytes in hexadecimal. The address is not told: every login of this employee is compared. */
  readonly salt: string
  readonly iterations: number
  /** PBKDF2-HMAC-SHA-256 of the upper-case SHA-1 in hexadecimal, cut to 16 bytes, in hexadecimal. */
  readonly hash: string
}

/** As much of a product as a browser needs to know its pages. */
export interface PolicyProduct {
  readonly appType: string
  readonly friendlyName: string
  readonly domains: readonly string[]
  readonly loginHosts: readonly string[]
  /** Its own token where other apps let people sign in by it; left out for other products. */
  readonly identityProvider?: string
  /** Only of identity providers: words by which the sign-in page, and a clone of it, is known. */
  readonly brandWords?: readonly string[]
  /** Only of identity providers: `*.` and a host name, which stands for that host and all below it. */
  readonly hostPatterns?: readonly string[]
}
