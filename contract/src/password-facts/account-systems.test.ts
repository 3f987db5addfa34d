import { expect, test } from 'vitest'
import { createCatalog } from '../catalog/catalog.ts'
import type { Product } from '../catalog/product.ts'
import { products } from '../catalog/products.ts'
import { accountSystemOf, takesAccountsOf } from './account-systems.ts'

const shop: Product = {
  appType: 'OUR_SHOP',
  friendlyName: 'Our shop',
  website: 'https://shop.example.com',
  description: 'A shop.',
  domains: ['shop.example.com', 'klm.com'],
  loginHosts: [],
}
const catalog = createCatalog(products)
const isOneSystem = (one: string, other: string, of = catalog) =>
  (accountSystemOf(of, one) ?? one) === (accountSystemOf(of, other) ?? other)

test.each([
  ['domains that share accounts', 'airbnb.de', 'airbnb.com.au'],
  ['a domain and the one whose accounts it uses', 'carsensor.net', 'CARSENSOR_NET', false],
  ['a domain of a product and one outside the catalog', 'ENVATO', 'themeforest.net'],
  ['two products', 'OPENAI', 'CHATGPT'],
  ['domains of which one took the place of the other', 'BEHANCE', 'ADOBE'],
  ['products that shared accounts in the past', 'ATLASSIAN', 'TRELLO'],
  ['a domain that the catalog has gained since', 'adobe.com', 'ADOBE'],
  ['unrelated products', 'ZAPIER', 'SLACK', false],
  ['unrelated domains', 'a.example', 'b.example', false],
  ['a product and another whose host is a single one of it', 'HEROKU', 'SALESFORCE', false],
])('%s: %s and %s have one account system', (_, one, other, expected = true) => {
  expect(isOneSystem(one, other)).toBe(expected)
})

test('the catalog comes first: domains of one product are one system, also those that an organization adds', () => {
  const own = createCatalog(products, [shop])
  expect(isOneSystem('OUR_SHOP', 'klm.com', own)).toBe(true)
  expect(isOneSystem('OUR_SHOP', 'FLYING_BLUE', own)).toBe(true)
  expect(isOneSystem('AMAZON', 'amazon.de')).toBe(true)
})

test('an app that shares its accounts with no other has no system', () => {
  expect(['ZAPIER', 'a.example'].map((app) => accountSystemOf(catalog, app))).toEqual([undefined, undefined])
})

test.each([
  ['www.airbnb.de', 'airbnb.com.au', true],
  ['themeforest.net', 'ENVATO', true],
  ['www.adobe.com', 'BEHANCE', true],
  // Given up or used elsewhere: who has the domain may not be who has the accounts.
  ['behance.net', 'ADOBE', false],
  ['hbonow.com', 'HBO_MAX', false],
  // In the past only.
  ['trello.com', 'ATLASSIAN', false],
  ['verify.salesforce.com', 'HEROKU', true],
  ['login.salesforce.com', 'HEROKU', false],
  ['airbnb.de.evil.example', 'airbnb.com', false],
  ['evil-airbnb.de', 'airbnb.com', false],
  ['evil.example', 'ENVATO', false],
])('the page %s takes the accounts of %s: %s', (host, app, expected) => {
  expect(takesAccountsOf(catalog, host, app)).toBe(expected)
})
