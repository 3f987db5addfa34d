import { createCatalog } from '@muster/contract/catalog/catalog'
import { products } from '@muster/contract/catalog/products'
import { expect, test } from 'vitest'
import { catalogHosts } from './catalog-hosts.ts'
import { advanceFlows, type FederatedLogin, type NavigationStep, type TabFlows } from './federation.ts'

/** Sign-ins with a provider added by the organization. Its apps share its domain, which is common. */
const provider = {
  appType: 'ACME_SIGN_IN',
  friendlyName: 'Acme Sign-in',
  website: '',
  description: '',
  domains: ['sso.acme.example', 'fs.acme.example'],
  loginHosts: ['sso.acme.example'],
  identityProvider: 'ACME_SIGN_IN',
  brandWords: ['Acme'],
  hostPatterns: ['*.fs.acme.example'],
}
const hosts = catalogHosts(createCatalog(products, [provider]))
const app = 'https://wiki.acme.example/login'
const callback = 'https://wiki.acme.example/auth/callback'
const authorize = 'https://sso.acme.example/realms/acme/protocol/openid-connect/auth'
const answered = 'https://sso.acme.example/realms/acme/login-actions/authenticate?execution=1'
const asks = `${authorize}?client_id=wiki&response_type=code&scope=openid&redirect_uri=${encodeURIComponent(callback)}`

interface Load {
  readonly from: string | null
  readonly url: string
  readonly form?: readonly string[]
  readonly frame?: number
}
const navigation = ({ from, url, form = [], frame = 0 }: Load): NavigationStep => ({
  frameId: frame,
  from: from === null ? null : new URL(from),
  url: new URL(url),
  method: form.length > 0 ? 'POST' : 'GET',
  formNames: form,
  timeMs: 0,
})

function loginsOf(...loads: readonly Load[]): FederatedLogin[] {
  let flows: TabFlows = []
  return loads.flatMap((load) => {
    const next = advanceFlows(flows, navigation(load), hosts)
    flows = next.flows
    return next.logins
  })
}

const login = (loginType: string, loginUrl = app) => ({
  loginUrl,
  loginType,
  provider: 'ACME_SIGN_IN',
  identity: null,
  hint: null,
})
const adfs = 'https://eu.fs.acme.example/adfs/ls/'
const acs = 'https://wiki.acme.example/saml/acs'

test.each<[string, Load[], object[]]>([
  [
    'a code returned by a redirect',
    [
      { from: app, url: asks },
      { from: answered, url: `${callback}?code=1&state=2` },
    ],
    [login('OIDC_LOGIN')],
  ],
  [
    'a code returned immediately because of a session',
    [
      { from: app, url: asks },
      { from: asks, url: `${callback}?code=1` },
    ],
    [login('OIDC_LOGIN')],
  ],
  [
    'a code in a posted form',
    [
      { from: app, url: `${asks}&response_mode=form_post` },
      { from: answered, url: callback, form: ['code', 'state'] },
    ],
    [login('OIDC_LOGIN')],
  ],
  [
    'a pushed authorization request',
    [
      {
        from: app,
        url: `${authorize}?client_id=wiki&request_uri=urn%3Aietf%3Aparams%3Aoauth%3Arequest_uri%3A1`,
      },
      { from: answered, url: `${callback}?code=1` },
    ],
    [login('OIDC_LOGIN')],
  ],
  [
    'a signed request',
    [
      { from: app, url: `${authorize}?client_id=wiki&request=e30.e30.c2ln` },
      { from: answered, url: `${callback}?code=1` },
    ],
    [login('OIDC_LOGIN')],
  ],
  [
    'SAML by redirect and post',
    [
      { from: app, url: `${adfs}?SAMLRequest=a&RelayState=b` },
      { from: adfs, url: acs, form: ['SAMLResponse', 'RelayState'] },
    ],
    [login('SAML_LOGIN')],
  ],
  [
    'SAML posted by the app',
    [
      { from: app, url: adfs, form: ['SAMLRequest', 'RelayState'] },
      { from: `${adfs}?client-request-id=1`, url: acs, form: ['SAMLResponse'] },
    ],
    [login('SAML_LOGIN')],
  ],
  [
    'WS-Federation',
    [
      { from: app, url: `${adfs}?wa=wsignin1.0&wtrealm=urn%3Awiki` },
      { from: adfs, url: 'https://wiki.acme.example/', form: ['wa', 'wresult'] },
    ],
    [login('SAML_LOGIN')],
  ],
  [
    'SAML initiated by the provider',
    [{ from: 'https://sso.acme.example/module.php/core/welcome', url: acs, form: ['SAMLResponse'] }],
    [login('SAML_LOGIN', acs)],
  ],
  [
    'in a frame of the app',
    [
      { from: app, url: asks, frame: 7 },
      { from: answered, url: `${callback}?code=1`, frame: 7 },
    ],
    [login('OIDC_LOGIN')],
  ],
  [
    'with a one-time segment in the app’s address',
    [
      { from: 'https://wiki.acme.example/login/9bUs2mT0x1Yq1kLr3ZpVw', url: asks },
      { from: answered, url: `${callback}?code=1` },
    ],
    [login('OIDC_LOGIN', 'https://wiki.acme.example/login/*')],
  ],
])('a sign-in with the organization’s own provider is detected: %s', (_, loads, logins) => {
  expect(loginsOf(...loads)).toEqual(logins)
})

test.each<[string, Load[]]>([
  [
    'the app answers instead of its provider',
    [
      { from: app, url: asks },
      { from: app, url: `${callback}?code=1` },
    ],
  ],
  [
    'the response goes to another frame',
    [
      { from: app, url: asks, frame: 7 },
      { from: answered, url: `${callback}?code=1`, frame: 8 },
    ],
  ],
  [
    'the response to a pushed request goes to another site',
    [
      { from: app, url: `${authorize}?client_id=wiki&request_uri=urn%3A1` },
      { from: answered, url: 'https://evil.example/auth/callback?code=1' },
    ],
  ],
  [
    'a pushed request is refused',
    [
      { from: app, url: `${authorize}?client_id=wiki&request_uri=urn%3A1` },
      { from: answered, url: `${callback}?error=access_denied` },
    ],
  ],
  [
    'the provider’s own pages are opened',
    [
      {
        from: 'https://sso.acme.example/realms/acme/account/',
        url: asks.replaceAll('wiki.acme', 'sso.acme'),
      },
      { from: answered, url: 'https://sso.acme.example/auth/callback?code=1' },
    ],
  ],
])('there is no sign-in if %s', (_, loads) => {
  expect(loginsOf(...loads)).toEqual([])
})
