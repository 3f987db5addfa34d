import type { LoginMethods } from '@muster/contract/records/account'
import { labelOf } from '../../ui/text/labels.ts'

/** An observed sign-in method. */
export interface SeenLogin {
  readonly text: string
  /** UNIX seconds. */
  readonly lastTimestamp: number | null
  /** API value that removes it; undefined if it cannot be removed. */
  readonly removable: 'USERNAME_PASSWORD' | 'OKTA_SWA' | 'OIDC' | 'SAML' | 'FEDCM' | undefined
}

const by = (provider: string, way: string) => `${labelOf(provider)} (${way})`

/** Returns the observed sign-in methods of an account. */
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

/** Returns the names of the observed sign-in methods. */
export const loginWords = (methods: LoginMethods): string[] => seenLogins(methods).map(({ text }) => text)
