import { createCatalog } from '@muster/contract/catalog/catalog'
import { products } from '@muster/contract/catalog/products'
import { beforeEach, expect, test, vi } from 'vitest'
import { completeFederatedLogin } from './complete-login.ts'
import type { FederatedLogin } from './federation/federation.ts'
import type { LoginDeps } from './login-deps.ts'
import { providerIdentities } from './tab-logins.ts'

vi.mock('wxt/browser', async () => ({ browser: (await import('wxt/testing/fake-browser')).fakeBrowser }))

const ada = 'ada@example.com'
const ceo = 'ceo@example.com'
const profile = 'profile@example.com'

let reported: unknown[]
const deps: LoginDeps = {
  report: async (event) => reported.push(event) > 0,
  policy: async () => null,
  catalog: async () => createCatalog(products),
  range: async () => null,
  profileEmail: async () => profile,
}

const signIn = (more: Partial<FederatedLogin> = {}) =>
  completeFederatedLogin(deps, {
    loginUrl: 'https://app.example.com/login',
    loginType: 'OIDC_LOGIN',
    provider: 'GITHUB',
    identity: null,
    hint: null,
    ...more,
  })

beforeEach(async () => {
  reported = []
  await providerIdentities.change(() => ({}))
})

test('an identity seen at a provider is used for later sign-ins there', async () => {
  await signIn({ identity: ada })
  await signIn()
  await signIn({ provider: 'OKTA' })
  expect(reported).toMatchObject([{ email: ada }, { email: ada }, { email: profile }])
})

test('a login hint is used only if no identity was seen, and is not stored', async () => {
  await signIn({ hint: ceo })
  await signIn()
  expect(reported).toMatchObject([{ email: ceo }, { email: profile }])
})

test('a login hint does not override a seen identity', async () => {
  await signIn({ identity: ada, hint: ceo })
  await signIn({ hint: ceo })
  await signIn()
  expect(reported).toMatchObject([{ email: ada }, { email: ada }, { email: ada }])
})

test('a FedCM identity applies only to its own page', async () => {
  await signIn({ identity: ada })
  await signIn({ identity: ceo, loginType: 'FEDCM_LOGIN' })
  await signIn()
  expect(reported).toMatchObject([{ email: ada }, { email: ceo }, { email: ada }])
})
