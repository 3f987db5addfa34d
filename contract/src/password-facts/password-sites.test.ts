import { expect, test } from 'vitest'
import { createCatalog } from '../catalog/catalog.ts'
import { products } from '../catalog/products.ts'
import { appendsCode, asksForOthers, changePasswordUrl } from './password-sites.ts'

const catalog = createCatalog(products)
const urlOf = (appType: string) => {
  const product = catalog.byType(appType)
  return product && changePasswordUrl(product)
}

test('a fact of a host holds for all below it, and for nothing beside it', () => {
  const hosts = [
    'etrade.com',
    'us.etrade.com',
    'auth.redhat.com',
    'redhat.com',
    'sso.redhat.com',
    'etrade.com.evil.example',
    'ETRADE.com.',
  ]
  expect(hosts.map(appendsCode)).toEqual([true, true, true, false, false, false, true])
  expect(['cdn.plaid.com', 'plaid.com', 'example.com'].map(asksForOthers)).toEqual([true, true, false])
})

test('the page of a product is the one of its own name or login host; it may be unknown', () => {
  expect(urlOf('GITHUB')).toMatch(/^https:\/\/github\.com\//)
  expect(urlOf('ATLASSIAN')).toMatch(/^https:\/\/id\.atlassian\.com\//)
  expect(urlOf('ZAPIER')).toBeNull()
})

test('pages are known for at least 250 products', () => {
  expect(products.filter((product) => changePasswordUrl(product) !== null).length).toBeGreaterThan(250)
})
