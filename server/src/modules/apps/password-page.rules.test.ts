import { createCatalog } from '@muster/contract/catalog/catalog'
import { products } from '@muster/contract/catalog/products'
import { expect, test } from 'vitest'
import { passwordPage } from './password-page.rules.ts'

const catalog = createCatalog(products)

test.each([
  ['GITHUB', 'https://github.com', { url: 'https://github.com/settings/security', changesPassword: true }],
  ['ZAPIER', 'https://zapier.com', { url: 'https://zapier.com', changesPassword: false }],
  ['REMOVED_PRODUCT', 'https://removed.example', { url: 'https://removed.example', changesPassword: false }],
  ['REMOVED_PRODUCT', 'http://removed.example', { url: null, changesPassword: false }],
  ['REMOVED_PRODUCT', 'javascript:alert(1)', { url: null, changesPassword: false }],
  ['REMOVED_PRODUCT', '', { url: null, changesPassword: false }],
])('the password page of %s with the website %j is %j', (type, website, expected) => {
  expect(passwordPage({ type, website }, catalog)).toEqual(expected)
})
