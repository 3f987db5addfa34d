import { createCatalog } from '@muster/contract/catalog/catalog'
import { products } from '@muster/contract/catalog/products'
import { expect, test } from 'vitest'
import { catalogHosts } from './catalog-hosts.ts'
import {
  advanceFlows,
  closedWindowLogin,
  type FederatedLogin,
  type NavigationStep,
  type TabFlows,
  withIdentity,
} from './federation.ts'

const hosts = catalogHosts(createCatalog(products))
const app = 'https://app.example.com/login'
const callback = 'https://app.example.com/auth/callback'
const google = 'https://accounts.google.com/o/oauth2/v2/auth'
const tenant = 'https://login.microsoftonline.com/contoso/oauth2/v2.0'
const okta = 'https://acme.okta.com'

type Load = [from: string | null, url: string, method?: string, formNames?: string[], timeMs?: number]
const navigation = (
  [from, url, method = 'GET', formNames = [], timeMs = 0]: Load,
  frameId = 0,
): NavigationStep => ({
  frameId,
  from: from === null ? null : new URL(from),
  url: new URL(url),
  method,
  formNames,
  timeMs,
})

function walk(...loads: Load[]): { flows: TabFlows; logins: FederatedLogin[] } {
  let flows: TabFlows = []
  const logins: FederatedLogin[] = []
  for (const load of loads) {
    const next = advanceFlows(flows, navigation(load), hosts)
    flows = next.flows
    logins.push(...next.logins)
  }
  return { flows, logins }
}

const asks = (host: string, more = '', redirect = callback) =>
  `${host}?client_id=c1&response_type=code&scope=openid%20email&redirect_uri=${encodeURIComponent(redirect)}${more}`
const login = (
  loginType: string,
  provider: string,
  loginUrl = app,
  identity: string | null = null,
  hint: string | null = null,
) => ({ loginUrl, loginType, provider, identity, hint })

test.each<[string, Load[], object[]]>([
  [
    'a code returned to the app',
    [
      [app, asks(google)],
      [google, 'https://accounts.google.com/v3/signin/identifier?continue=x'],
      ['https://accounts.google.com/signin/oauth/consent', `${callback}?code=4/abc&state=s`],
    ],
    [login('OIDC_LOGIN', 'GOOGLE_WORKSPACE')],
  ],
  [
    'a login hint is reported as a hint only',
    [
      [app, asks(google, '&login_hint=ada@example.com')],
      [google, `${callback}?code=4/abc`],
    ],
    [login('OIDC_LOGIN', 'GOOGLE_WORKSPACE', app, null, 'ada@example.com')],
  ],
  [
    'a login hint for a broker is passed on to the provider behind it',
    [
      [app, asks('https://acme.eu.auth0.com/authorize')],
      [
        'https://acme.eu.auth0.com/authorize',
        asks(google, '&login_hint=ada@example.com', 'https://acme.eu.auth0.com/login/callback'),
      ],
      [google, 'https://acme.eu.auth0.com/login/callback?code=1'],
      ['https://acme.eu.auth0.com/authorize/resume', `${callback}?code=2`],
    ],
    [login('OIDC_LOGIN', 'GOOGLE_WORKSPACE', app, null, 'ada@example.com')],
  ],
  [
    'a form post of an id_token',
    [
      [app, asks(`${tenant}/authorize`, '&response_mode=form_post')],
      [`${tenant}/login`, callback, 'POST', ['id_token', 'state']],
    ],
    [login('OIDC_LOGIN', 'MICROSOFT_365')],
  ],
  [
    'a token in the fragment, which requests do not contain',
    [
      [app, asks(`${tenant}/authorize`)],
      ['https://login.microsoftonline.com/kmsi', callback],
    ],
    [login('OIDC_LOGIN', 'MICROSOFT_365')],
  ],
  [
    'GitHub, which does not use OpenID Connect',
    [
      [
        app,
        `https://github.com/login/oauth/authorize?client_id=1&redirect_uri=${encodeURIComponent(callback)}&scope=user:email`,
      ],
      ['https://github.com/login', `${callback}?code=1`],
    ],
    [login('OIDC_LOGIN', 'GITHUB')],
  ],
  [
    'granted data access is no login',
    [
      [
        app,
        `https://github.com/login/oauth/authorize?client_id=1&redirect_uri=${encodeURIComponent(callback)}&scope=repo`,
      ],
      ['https://github.com/login', `${callback}?code=1`],
    ],
    [],
  ],
  [
    'a refusal is no login',
    [
      [app, asks(google)],
      [google, `${callback}?error=access_denied`],
    ],
    [],
  ],
  [
    'a posted refusal is no login',
    [
      [app, asks(`${tenant}/authorize`, '&response_mode=form_post')],
      [tenant, callback, 'POST', ['error', 'state']],
    ],
    [],
  ],
  ['a code without a request is no login', [[google, `${callback}?code=stolen`]], []],
  [
    'a code returned to another address is no login',
    [
      [app, asks(google)],
      [google, 'https://other.example.net/auth/callback?code=1'],
    ],
    [],
  ],
  [
    'a code that does not come from the provider is no login',
    [
      [app, asks(google)],
      [app, `${callback}?code=made-up`],
      [null, `${callback}?code=made-up`],
    ],
    [],
  ],
  [
    'SAML posted by another page during a request is no login',
    [
      [app, `${okta}/app/example/sso/saml?SAMLRequest=abc`],
      ['https://evil.example/', 'https://app.example.com/saml/acs', 'POST', ['SAMLResponse']],
      [null, 'https://app.example.com/saml/acs', 'POST', ['SAMLResponse']],
    ],
    [],
  ],
  [
    'a post from another provider to the requested one is not the response to the app',
    [
      [app, `${okta}/app/example/sso/saml?SAMLRequest=abc`],
      [okta, 'https://adfs.example.com/adfs/ls?SAMLRequest=def'],
      ['https://adfs.example.com/adfs/ls', `${okta}/sso/saml2`, 'POST', ['SAMLResponse']],
      [`${okta}/sso/saml2`, 'https://app.example.com/saml/acs', 'POST', ['SAMLResponse']],
    ],
    [login('SAML_LOGIN', 'OKTA')],
  ],
  [
    'an answer from another host of the provider',
    [
      [app, asks(`${tenant}/authorize`)],
      ['https://login.live.com/ppsecure/post.srf', `${callback}?code=1`],
    ],
    [login('OIDC_LOGIN', 'MICROSOFT_365')],
  ],
  [
    'a code after the flow expired is no login',
    [
      [app, asks(google)],
      [google, `${callback}?code=1`, 'GET', [], 16 * 60_000],
    ],
    [],
  ],
  [
    'a silent renewal is no login',
    [
      [app, asks(google, '&prompt=none')],
      [google, `${callback}?code=1`],
    ],
    [],
  ],
  [
    'SAML requested by the app',
    [
      [app, `${okta}/app/example/sso/saml?SAMLRequest=abc&RelayState=x`],
      [
        `${okta}/app/example/sso/saml`,
        'https://app.example.com/saml/acs',
        'POST',
        ['SAMLResponse', 'RelayState'],
      ],
    ],
    [login('SAML_LOGIN', 'OKTA')],
  ],
  [
    'SAML request posted to the provider',
    [
      [app, 'https://login.microsoftonline.com/contoso/saml2', 'POST', ['SAMLRequest']],
      ['https://login.microsoftonline.com/login', 'https://app.example.com/acs', 'POST', ['SAMLResponse']],
    ],
    [login('SAML_LOGIN', 'MICROSOFT_365')],
  ],
  [
    'SAML from the dashboard of the provider',
    [[`${okta}/app/example/0oa1/sso/saml`, 'https://app.example.com/saml/acs', 'POST', ['SAMLResponse']]],
    [login('SAML_LOGIN', 'OKTA', 'https://app.example.com/saml/acs')],
  ],
  [
    'SAML posted by any other page is no login',
    [['https://evil.example/', 'https://app.example.com/saml/acs', 'POST', ['SAMLResponse']]],
    [],
  ],
  [
    'WS-Federation',
    [
      [app, 'https://login.microsoftonline.com/contoso/wsfed?wa=wsignin1.0&wtrealm=urn:x'],
      ['https://login.microsoftonline.com/x', 'https://app.example.com/', 'POST', ['wa', 'wresult']],
    ],
    [login('SAML_LOGIN', 'MICROSOFT_365')],
  ],
  [
    'through a broker, with the provider behind it',
    [
      [app, asks('https://acme.eu.auth0.com/authorize')],
      ['https://acme.eu.auth0.com/authorize', asks(google, '', 'https://acme.eu.auth0.com/login/callback')],
      [google, 'https://acme.eu.auth0.com/login/callback?code=1'],
      ['https://acme.eu.auth0.com/authorize/resume', `${callback}?code=2`],
    ],
    [login('OIDC_LOGIN', 'GOOGLE_WORKSPACE')],
  ],
  [
    'a provider that uses another one is an account itself',
    [
      [app, asks(google)],
      ['https://accounts.google.com/signin', `${okta}/app/google/sso/saml?SAMLRequest=abc`],
      [`${okta}/app/google/sso/saml`, 'https://accounts.google.com/samlrp/acs', 'POST', ['SAMLResponse']],
      ['https://accounts.google.com/samlrp/acs', `${callback}?code=2`],
    ],
    [
      login('SAML_LOGIN', 'OKTA', 'https://accounts.google.com/signin'),
      login('OIDC_LOGIN', 'GOOGLE_WORKSPACE'),
    ],
  ],
  [
    'a typed app address that redirects immediately',
    [
      [null, 'https://app.example.com/'],
      ['https://app.example.com/', asks(google)],
      [google, `${callback}?code=1`],
    ],
    [login('OIDC_LOGIN', 'GOOGLE_WORKSPACE', 'https://app.example.com/')],
  ],
  [
    'a vendor’s own app with OpenID Connect',
    [
      [
        'https://trello.com/login',
        asks('https://id.atlassian.com/authorize', '', 'https://trello.com/auth/callback'),
      ],
      ['https://id.atlassian.com/login', 'https://trello.com/auth/callback?code=1'],
    ],
    [login('VENDOR_SSO_LOGIN', 'ATLASSIAN', 'https://trello.com/login')],
  ],
  [
    'a vendor’s own app with its own protocol',
    [
      [
        'https://www.youtube.com/',
        'https://accounts.google.com/ServiceLogin?service=youtube&continue=https%3A%2F%2Fwww.youtube.com%2Fsignin',
      ],
      ['https://accounts.google.com/CheckCookie', 'https://www.youtube.com/signin?action_handle_signin=true'],
    ],
    [login('VENDOR_SSO_LOGIN', 'GOOGLE_WORKSPACE', 'https://www.youtube.com/')],
  ],
  [
    'a sign-in to the provider itself is no login elsewhere',
    [
      [
        'https://mail.google.com/',
        'https://accounts.google.com/ServiceLogin?continue=https%3A%2F%2Fmail.google.com%2Fmail',
      ],
      ['https://accounts.google.com/CheckCookie', 'https://mail.google.com/mail'],
    ],
    [],
  ],
  [
    'a `continue` address of another vendor is no login',
    [
      [app, 'https://accounts.google.com/ServiceLogin?continue=https%3A%2F%2Fapp.example.com%2F'],
      ['https://accounts.google.com/x', 'https://app.example.com/'],
    ],
    [],
  ],
])('%s', (_, loads, logins) => {
  expect(walk(...loads).logins).toEqual(logins)
})

test('the identity seen at the provider is reported', () => {
  const { flows } = walk([app, asks(google)])
  const named = withIdentity(flows, 'GOOGLE_WORKSPACE', { identity: 'ada@example.com', isProven: false })
  const { logins } = advanceFlows(named, navigation([google, `${callback}?code=1`]), hosts)
  expect(logins).toEqual([login('OIDC_LOGIN', 'GOOGLE_WORKSPACE', app, 'ada@example.com')])
  expect(withIdentity(flows, 'OKTA', { identity: 'eve@example.com', isProven: true })).toBe(flows)
})

test('a login hint never overrides the identity seen at the provider', () => {
  const ceo = asks(google, '&login_hint=ceo@example.com')
  const { flows } = walk([app, ceo])
  const seen = { identity: 'ada@example.com', isProven: true }
  for (const from of [null, google]) {
    const asked = advanceFlows(withIdentity(flows, 'GOOGLE_WORKSPACE', seen), navigation([from, ceo]), hosts)
    const { logins } = advanceFlows(asked.flows, navigation([google, `${callback}?code=1`]), hosts)
    expect(logins).toEqual([
      login('OIDC_LOGIN', 'GOOGLE_WORKSPACE', app, 'ada@example.com', 'ceo@example.com'),
    ])
  }
})

test('a passkey proves a sign-in, but not the hinted identity', () => {
  const { flows } = walk([app, asks(google, '&login_hint=ceo@example.com')])
  const proven = withIdentity(flows, 'GOOGLE_WORKSPACE', { identity: null, isProven: true })
  const { logins } = advanceFlows(proven, navigation([google, `${callback}?code=1`]), hosts)
  expect(logins).toEqual([login('OIDC_LOGIN', 'GOOGLE_WORKSPACE', app, null, 'ceo@example.com')])
})

test('a popup that closes after the provider accepted the identity is a login, and none before', () => {
  const { flows } = walk([app, asks(google, '', 'storagerelay://https/app.example.com?id=auth1')])
  expect(closedWindowLogin(flows, hosts)).toBeUndefined()
  const typed = withIdentity(flows, 'GOOGLE_WORKSPACE', { identity: 'ada@example.com', isProven: false })
  expect(closedWindowLogin(typed, hosts)).toBeUndefined()
  const taken = withIdentity(typed, 'GOOGLE_WORKSPACE', { identity: null, isProven: true })
  expect(closedWindowLogin(taken, hosts)).toEqual(
    login('OIDC_LOGIN', 'GOOGLE_WORKSPACE', app, 'ada@example.com'),
  )
})

const closedAfterChoice = (more: string, redirect: string) => {
  const { flows } = walk([app, asks(google, more, redirect)])
  const chosen = withIdentity(flows, 'GOOGLE_WORKSPACE', { identity: 'ada@example.com', isProven: true })
  return closedWindowLogin(chosen, hosts)
}

test.each([
  ['uses a message', '&response_mode=web_message', callback],
  ['uses an Okta message', '&response_mode=okta_post_message', callback],
  ['has no address', '', 'postmessage'],
])('a closed popup is a login if the response goes to a script that %s', (_, more, redirect) => {
  expect(closedAfterChoice(more, redirect)).toBeDefined()
})

test.each([
  ['an address', ''],
  ['an address in a form', '&response_mode=form_post'],
])('a closed popup is no login if the response to %s was not seen', (_, more) => {
  expect(closedAfterChoice(more, callback)).toBeUndefined()
})

test('the number of flows per tab is limited', () => {
  const loads = Array.from({ length: 50 }, (_, n): Load => [`https://app${n}.example.com/`, asks(google)])
  expect(walk(...loads).flows.length).toBeLessThanOrEqual(5)
})
