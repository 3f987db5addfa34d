import { createCatalog } from '@muster/contract/catalog/catalog'
import { products } from '@muster/contract/catalog/products'
import { beforeEach, expect, test, vi } from 'vitest'
import type { LoginDeps } from './login-deps.ts'
import { changeTab, idleTab } from './tab-logins.ts'
import { onCommitted, onPageAnswer, onPageRequest, pageRequest } from './track-navigation.ts'

vi.mock('wxt/browser', async () => ({ browser: (await import('wxt/testing/fake-browser')).fakeBrowser }))

const tabId = 7
const app = 'https://app.example.com'
const callback = `${app}/auth/callback`
const ask = (host: string, returnUrl: string) =>
  `https://${host}/authorize?client_id=c1&response_type=code&scope=openid&redirect_uri=${encodeURIComponent(returnUrl)}`
const google = ask('accounts.google.com', callback)

let reported: unknown[]
let timeStamp: number
const deps: LoginDeps = {
  report: async (event) => reported.push(event) > 0,
  policy: async () => null,
  catalog: async () => createCatalog(products),
  range: async () => null,
  profileEmail: async () => 'ada@example.com',
}

beforeEach(async () => {
  reported = []
  timeStamp = Date.now()
  await changeTab(tabId, () => idleTab)
})

/** One page load: the addresses of its redirects, and the browser's transition. */
async function load(transitionType: string, initiator: string | undefined, ...addresses: string[]) {
  timeStamp += 1000
  const requestId = String(timeStamp)
  for (const url of addresses) {
    timeStamp += 1
    const details = { tabId, requestId, url, initiator, method: 'GET', timeStamp }
    const request = await pageRequest(details as Parameters<typeof pageRequest>[0])
    if (request) await onPageRequest(deps, request)
  }
  await onCommitted(deps, { tabId, frameId: 0, url: addresses.at(-1) ?? '', transitionType })
  await onPageAnswer(deps, { tabId, frameId: 0, url: addresses.at(-1) ?? '', statusCode: 200 })
}

const logins = () => reported.filter((event) => (event as { kind: string }).kind === 'LOGIN')
const answered = () => load('link', 'https://accounts.google.com', `${callback}?code=4/abc`)

test.each([
  ['an app that redirects to its provider immediately', [`${app}/`, google]],
  ['a page of the provider, with the request', [google]],
  [
    'an app that uses a provider through a broker',
    [
      `${app}/`,
      ask('acme.eu.auth0.com', callback),
      ask('accounts.google.com', 'https://acme.eu.auth0.com/login/callback'),
    ],
    () =>
      load(
        'link',
        'https://accounts.google.com',
        'https://acme.eu.auth0.com/login/callback?code=1',
        `${callback}?code=2`,
      ),
  ],
  [
    'an app whose provider delegates the password to a server of the organization',
    [`${app}/`, google, 'https://sign-in.example.com/adfs/ls'],
  ],
])('a sign-in that started by typing the address of %s is detected', async (_, addresses, end = answered) => {
  await load('typed', undefined, ...addresses)
  await load('form_submit', 'https://accounts.google.com', 'https://accounts.google.com/v3/signin/challenge')
  await end()
  expect(logins()).toMatchObject([{ loginType: 'OIDC_LOGIN', identityProvider: 'GOOGLE_WORKSPACE' }])
})

test('typing another address during a sign-in abandons it', async () => {
  await load('link', app, google)
  await load('typed', undefined, 'https://accounts.google.com/')
  await answered()
  expect(logins()).toEqual([])
})

test('a page shown without a request abandons a sign-in', async () => {
  await load('link', app, google)
  await onCommitted(deps, { tabId, frameId: 0, url: 'chrome://settings/', transitionType: 'typed' })
  await answered()
  expect(logins()).toEqual([])
})
