import { expect, test } from 'vitest'
import { createCatalogue } from '../catalogue/catalogue.ts'
import type { Product } from '../catalogue/product.ts'
import { products } from '../catalogue/products.ts'
import { placeOf, sharesAccounts, takesAccountsOf } from './account-systems.ts'

const shop: Product = {
  appType: 'OUR_SHOP',
  friendlyName: 'Our shop',
  website: 'https://shop.example.com',
  description: 'A shop.',
  domains: ['shop.example.com', 'klm.com'],
  loginHosts: [],
}
const catalogue = createCatalogue(products)
const samePlace = (one: string, other: string, of = catalogue) => placeOf(of, one) === placeOf(of, other)

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
])('%s: %s and %s have one place', (_, one, other, expected = true) => {
  expect(samePlace(one, other)).toBe(expected)
})

test('the catalog comes first: domains of one product are one place, also those that an organization adds', () => {
  const own = createCatalogue(products, [shop])
  expect(samePlace('OUR_SHOP', 'klm.com', own)).toBe(true)
  expect(samePlace('OUR_SHOP', 'FLYING_BLUE', own)).toBe(true)
  expect(samePlace('AMAZON', 'amazon.de')).toBe(true)
  expect([placeOf(catalogue, 'ZAPIER'), placeOf(catalogue, 'zapier.com')]).toEqual(['ZAPIER', 'ZAPIER'])
  expect(placeOf(catalogue, 'nobody.example')).toBe('nobody.example')
})

test('an app shares accounts if its system is known', () => {
  expect(['ENVATO', 'airbnb.de', 'ZAPIER', 'a.example'].map((app) => sharesAccounts(catalogue, app))).toEqual(
    [true, true, false, false],
  )
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
  expect(takesAccountsOf(catalogue, host, app)).toBe(expected)
})
