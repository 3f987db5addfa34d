import type { LoginType } from '@muster/contract/agent/agent-event'
import type { Department } from './company.ts'
import { readDemoJsonLines } from './demo-data.ts'

/** Way to sign in to an app: kind of login and identity provider. */
export interface SignIn {
  readonly loginType: LoginType
  readonly identityProvider: string | null
}

/** Kinds of login, by their names in the data file. */
export const signIns = {
  password: { loginType: 'PASSWORD_LOGIN', identityProvider: null },
  google: { loginType: 'OIDC_LOGIN', identityProvider: 'GOOGLE_WORKSPACE' },
  microsoft: { loginType: 'OIDC_LOGIN', identityProvider: 'MICROSOFT_365' },
  okta: { loginType: 'SAML_LOGIN', identityProvider: 'OKTA' },
  swa: { loginType: 'OKTA_SWA_LOGIN', identityProvider: 'OKTA' },
  atlassian: { loginType: 'VENDOR_SSO_LOGIN', identityProvider: 'ATLASSIAN' },
  fedcm: { loginType: 'FEDCM_LOGIN', identityProvider: 'GOOGLE_WORKSPACE' },
} as const satisfies Record<string, SignIn>

/** Ways to sign in to any app, with weights. */
export const anySignIn: readonly (SignIn & { readonly weight: number })[] = [
  { ...signIns.password, weight: 50 },
  { ...signIns.google, weight: 30 },
  { ...signIns.microsoft, weight: 7 },
  { ...signIns.okta, weight: 5 },
  { ...signIns.swa, weight: 4 },
  { ...signIns.fedcm, weight: 4 },
]

/** Users of an app. `GenAI` apps are for everyone, but decided separately. */
export type Audience = Department | 'Everyone' | 'GenAI'

/** Catalog product that the simulated company uses. Its use is invented. */
export interface UsedProduct {
  readonly appType: string
  readonly audience: Audience
  /** Share of the audience that uses it, from 0 to 1. */
  readonly reach: number
  /** Usual way to sign in. */
  readonly signIn: SignIn
}

interface UsedProductLine extends Omit<UsedProduct, 'signIn'> {
  readonly signIn: keyof typeof signIns
}

/** Products of the catalog that the company uses. */
export const usedProducts: readonly UsedProduct[] = readDemoJsonLines<UsedProductLine>(
  'used-products.jsonl',
).map(({ signIn, ...product }) => ({ ...product, signIn: signIns[signIn] }))

/** Returns the probability that a person of a department uses a product. */
export const likelihood = ({ audience, reach }: UsedProduct, department: Department): number =>
  audience === 'Everyone' || audience === 'GenAI' || audience === department ? reach : reach * 0.05
