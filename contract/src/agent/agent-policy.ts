import type { ControlMode } from '../records/controls.ts'
import type { BannerMode, ExtensionRisk } from './agent-event.ts'

/**
 * The policy of one browser (`GET /agent/v1/policy`, domain contract, section 7). The server computes it from the
 * controls, the employee and the apps. The ETag is the version in quotes.
 */
export interface AgentPolicy {
  /** Hash of the content. */
  readonly version: string
  /** Interval of heartbeats. */
  readonly heartbeatSeconds: number
  /** Empty until the organization has been named. */
  readonly organizationName: string
  /** Contact for the employee; null if not set. */
  readonly contact: string | null
  readonly blockedUrls: readonly PolicyBlockedUrl[]
  readonly protectedPasswords: PolicyProtection
  /** App types whose passwords are protected. */
  readonly protectedAppTypes: readonly string[]
  readonly clonedLoginPages: PolicyProtection
  readonly phishingTools: PolicyProtection
  readonly maliciousCopyPaste: PolicyProtection
  /**
   * Banners by app type, or by registrable domain for apps (other). A banner with neither applies to all other catalog
   * apps.
   */
  readonly banners: readonly PolicyBanner[]
  readonly blockedExtensionIds: readonly string[]
  readonly badExtensions: readonly { readonly extensionId: string; readonly risk: ExtensionRisk }[]
  readonly restrictedWords: readonly string[]
  /** True to look up leaked passwords at `GET /agent/v1/range/{prefix}`. */
  readonly leakedLookup: boolean
  /** Stolen credentials of this employee's addresses, to compare passwords with (domain contract, section 3). */
  readonly stolenCredentials: readonly PolicyStolenCredential[]
  /** Work identities of the employee: an address, or `@` and a domain. Lower case. */
  readonly workIdentities: readonly string[]
  /** Custom products of the organization. */
  readonly products: readonly PolicyProduct[]
}

export interface PolicyBlockedUrl {
  readonly id: string
  /** The pattern as `/v1/controls/blockedUrls` shows it. */
  readonly url: string
}

export interface PolicyProtection {
  readonly mode: ControlMode
  /** Modes of apps that differ from the default, by app type. */
  readonly byApp: Readonly<Record<string, ControlMode>>
}

export interface PolicyBanner {
  readonly id: string
  /** Null for a domain outside the catalog, and for the banner of all other catalog apps. */
  readonly appType: string | null
  readonly domain: string | null
  readonly mode: BannerMode
  readonly title: string
  readonly subtext: string
  readonly buttonText: string | null
}

export interface PolicyStolenCredential {
  readonly id: string
  /** 16 bytes in hexadecimal. The address is not included; every login of this employee is compared. */
  readonly salt: string
  readonly iterations: number
  /** PBKDF2-HMAC-SHA-256 of the upper-case SHA-1 in hexadecimal, cut to 16 bytes, in hexadecimal. */
  readonly hash: string
}

/** The part of a product that a browser needs to recognize its pages. */
export interface PolicyProduct {
  readonly appType: string
  readonly friendlyName: string
  readonly domains: readonly string[]
  readonly loginHosts: readonly string[]
  /** Its own app type if it is an identity provider; otherwise omitted. */
  readonly identityProvider?: string
  /** Identity providers only: words that identify the sign-in page and its clones. */
  readonly brandWords?: readonly string[]
  /** Identity providers only: `*.` and a host name; covers that host and all its subdomains. */
  readonly hostPatterns?: readonly string[]
}
