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
 * How `oidcLogin`, `samlLogin` and their kin name a provider: by the `appType` of its product. In the records that
 * integrations read, `GOOGLE_WORKSPACE` is both an app and a provider. An operator may add providers of their own.
 */
export type IdentityProviderToken = string

/** What the shape of a token is: it names an app for good, in records and in files. */
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
  /** The name as people know it; no other product has it. */
  readonly friendlyName: string
  /** An https URL. */
  readonly website: string
  /** What it is for: one sentence of at most 200 characters. */
  readonly description: string
  /** Main category first. Products that an organization added may have none. */
  readonly categories?: readonly ProductCategoryId[]
  /**
   * Names whose hosts belong to the product, with all below them: registrable domains, or deeper names where a
   * company has several products on one domain. The longest name that fits a host wins.
   */
  readonly domains: readonly string[]
  /** Hosts where one signs in. None where each customer has a host of its own, or the provider is elsewhere. */
  readonly loginHosts: readonly string[]
  /** Set where other apps let people sign in by this product: then its own `appType`. */
  readonly identityProvider?: IdentityProviderToken
  /** Words by which the title of the provider's sign-in page is known; a clone of the page shows them too. */
  readonly brandWords?: readonly string[]
  /** More hosts of the provider's sign-in pages: `*.okta.com` is okta.com and all below it. */
  readonly hostPatterns?: readonly string[]
  /** Second factors that the product is known to offer. */
  readonly secondFactors?: readonly (typeof secondFactors)[number][]
}
