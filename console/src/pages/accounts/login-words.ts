import type { LoginMethods } from '@muster/contract/account'
import { wordsOf } from '../../ui/text/words.ts'

/** A way of signing in that was seen on an account. */
export interface SeenLogin {
  readonly text: string
  /** UNIX seconds. */
  readonly lastTimestamp: number | null
  /** By what it can be removed; undefined where it cannot. */
  readonly removable: 'USERNAME_PASSWORD' | 'OKTA_SWA' | 'OIDC' | 'SAML' | 'FEDCM' | undefined
}

const by = (provider: string, way: string) => `${wordsOf(provider)} (${way})`

/** The ways of signing in that were seen on an account, in words. */
export function seenLogins(methods: LoginMethods): SeenLogin[] {
  const { oidcLogin, samlLogin, vendorSsoLogin, fedCmLogin } = methods
  const found: (SeenLogin | false | null)[] = [
    methods.passwordLogin && {
      text: 'Password',
      lastTimestamp: methods.lastPasswordLoginTimestamp,
      removable: 'USERNAME_PASSWORD',
    },
    oidcLogin !== null && {
      text: by(oidcLogin, 'OpenID Connect'),
      lastTimestamp: methods.lastOidcLoginTimestamp,
      removable: 'OIDC',
    },
    samlLogin !== null && {
      text: by(samlLogin, 'SAML'),
      lastTimestamp: methods.lastSamlLoginTimestamp,
      removable: 'SAML',
    },
    methods.oktaSwaLogin && {
      text: 'Okta SWA',
      lastTimestamp: methods.lastOktaSwaLoginTimestamp,
      removable: 'OKTA_SWA',
    },
    vendorSsoLogin !== null && {
      text: by(vendorSsoLogin, 'vendor SSO'),
      lastTimestamp: methods.lastVendorSsoLoginTimestamp,
      removable: undefined,
    },
    fedCmLogin !== null && {
      text: by(fedCmLogin, 'FedCM'),
      lastTimestamp: methods.lastFedCmLoginTimestamp,
      removable: 'FEDCM',
    },
  ]
  return found.filter((login) => login !== false && login !== null)
}

/** The same, without more. */
export const loginWords = (methods: LoginMethods): string[] => seenLogins(methods).map(({ text }) => text)
