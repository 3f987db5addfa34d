import { expect, test } from 'vitest'
import { catalogOf } from './page-catalog.ts'
import { readProducts } from './policy-products.ts'

const provider = {
  appType: 'ACME_SIGN_IN',
  friendlyName: 'Acme Sign-in',
  domains: ['sso.acme.example', 'adfs.acme.example'],
  loginHosts: ['sso.acme.example'],
  identityProvider: 'ACME_SIGN_IN',
  brandWords: ['Acme'],
  hostPatterns: ['*.adfs.acme.example'],
}

test('an identity provider keeps its hosts, patterns and brand words', () => {
  expect(readProducts([provider])).toEqual([provider])
})

test('only the hosts and host patterns of an own provider match it', () => {
  const catalog = catalogOf({ products: readProducts([provider]) })
  const hosts = [
    'sso.acme.example',
    'eu.adfs.acme.example',
    'adfs.acme.example',
    'wiki.acme.example',
    'acme.example',
  ]
  expect(hosts.map((host) => catalog.providerByHost(host))).toEqual([
    'ACME_SIGN_IN',
    'ACME_SIGN_IN',
    'ACME_SIGN_IN',
    undefined,
    undefined,
  ])
})

test('an app that is not a provider has neither words nor patterns', () => {
  const { identityProvider: _, ...app } = provider
  expect(readProducts([app])).toEqual([
    {
      appType: app.appType,
      friendlyName: app.friendlyName,
      domains: app.domains,
      loginHosts: app.loginHosts,
    },
  ])
  expect(readProducts([{ ...provider, identityProvider: 'OKTA' }])).toEqual(readProducts([app]))
})

test.each<[string, unknown]>([
  ['nothing', null],
  ['a text', 'ACME'],
  ['no token', { ...provider, appType: 'acme sign-in' }],
  ['a token that is too long', { ...provider, appType: 'A'.repeat(65) }],
  ['no name', { ...provider, friendlyName: 3 }],
  ['no host', { ...provider, domains: ['https://sso.acme.example/', 7, ''] }],
])('%s is skipped, and the other products are used', (_, value) => {
  expect(readProducts([value, provider])).toEqual([provider])
})

test('malformed hosts, patterns and words are skipped', () => {
  const [product] = readProducts([
    {
      ...provider,
      loginHosts: ['sso.acme.example', 'SSO.acme.example', '(a+)+$'],
      hostPatterns: ['*.adfs.acme.example', '*', '*.', 'adfs.acme.example', '*.*.acme.example', '*.(a+)+$'],
      brandWords: ['Acme', '', ' ', 5, 'x'.repeat(65)],
    },
  ])
  expect(product).toEqual(provider)
})

test('sizes are limited', () => {
  const many = Array.from({ length: 2000 }, (_, n) => ({ ...provider, appType: `ACME_${n}` }))
  expect(readProducts(many)).toHaveLength(1000)
  const [product] = readProducts([
    {
      ...provider,
      friendlyName: 'x'.repeat(1000),
      domains: Array.from({ length: 500 }, (_, n) => `h${n}.acme.example`),
      hostPatterns: Array.from({ length: 500 }, (_, n) => `*.h${n}.acme.example`),
      brandWords: Array.from({ length: 500 }, (_, n) => `Acme ${n}`),
    },
  ])
  expect(product?.friendlyName).toHaveLength(256)
  expect([product?.domains, product?.hostPatterns, product?.brandWords].map((list) => list?.length)).toEqual([
    64, 16, 16,
  ])
})
