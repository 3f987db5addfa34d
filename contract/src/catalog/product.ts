import type { ProductCategoryId } from './product-categories.ts'

/** Identity providers by which companies sign their employees in. */
export const workforceProviders = [
  'ATLASSIAN',
  'AUTH0',
  'AWS_IAM_IDENTITY_CENTER',
  'CYBERARK',
  'DUO',
  'GOOGLE_WORKSPACE',
  'JUMPCLOUD',
  'MICROSOFT_365',
  'OKTA',
  'ONELOGIN',
  'PING_IDENTITY',
  'RIPPLING',
  'SALESFORCE',
  'SAP',
] as const

/** Accounts of people that other sites accept at their own sign-in. */
export const socialProviders = [
  'AMAZON',
  'APPLE',
  'DISCORD',
  'FACEBOOK',
  'GITHUB',
  'GITLAB',
  'LINKEDIN',
  'SLACK',
  'X',
  'YAHOO',
] as const

/** The providers among the products of Muster. */
export const identityProviders = [...workforceProviders, ...socialProviders] as const

/**
 * Identity provider in `oidcLogin`, `samlLogin` and similar members: the `appType` of its product. `GOOGLE_WORKSPACE` is
 * both an app and a provider. Operators can add their own providers.
 */
export type IdentityProviderToken = string

/** Pattern of app types. An app type never changes. */
export const appTypePattern = '^[A-Z][A-Z0-9_]*$'

/** Second factors that a product offers, by the names of `mfaMethods` where there is one. */
export const secondFactors = [
  'APP_TOTP',
  'EMAIL_OTP',
  'PHONE_CALL',
  'SMS_OTP',
  'U2F',
  'VENDOR_APP',
  'VENDOR_DEVICE',
] as const

/** A product of the catalog: how to know its hosts, and what its app (`/v1/apps`) shows. */
export interface Product {
  /** The app's `type`: an UPPER_SNAKE token of at most 64 characters that never changes. */
  readonly appType: string
  /** Display name, unique among products. */
  readonly friendlyName: string
  /** An https URL. */
  readonly website: string
  /** Description: one sentence of at most 200 characters. */
  readonly description: string
  /** Main category first. Products that an organization added may have none. */
  readonly categories?: readonly ProductCategoryId[]
  /**
   * Domains of the product, including all subdomains: registrable domains, or deeper names if a company has several
   * products on one domain. The longest match wins.
   */
  readonly domains: readonly string[]
  /** Hosts of the sign-in page. Empty if each customer has a separate host, or the provider is another product. */
  readonly loginHosts: readonly string[]
  /** Its own `appType` if it is an identity provider. */
  readonly identityProvider?: IdentityProviderToken
  /** Words in the title of the provider's sign-in page, which clones also show. */
  readonly brandWords?: readonly string[]
  /** Further hosts of the provider's sign-in pages: `*.okta.com` covers okta.com and all its subdomains. */
  readonly hostPatterns?: readonly string[]
  /** Second factors that the product is known to offer. */
  readonly secondFactors?: readonly (typeof secondFactors)[number][]
}
