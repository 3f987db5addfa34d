import { gzipSync } from 'node:zlib'
import { createCatalog } from '@muster/contract/catalog/catalog'
import type { Product } from '@muster/contract/catalog/product'
import { products } from '@muster/contract/catalog/products'
import { expect, test } from 'vitest'
import { leanCatalog } from './lean-catalog.ts'

const source = leanCatalog().load('/any/contract/src/catalog/products.ts') ?? ''
const module = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as {
  products: readonly Product[]
}

test('the build resolves every host to the same product', () => {
  const lean = createCatalog(module.products)
  const full = createCatalog(products)
  const hosts = products.flatMap(({ domains, loginHosts }) => [...domains, ...loginHosts])
  const wrong = hosts.filter(
    (host) =>
      lean.byHost(host)?.friendlyName !== full.byHost(host)?.friendlyName ||
      lean.providerByHost(host) !== full.providerByHost(host),
  )
  expect(hosts.length).toBeGreaterThan(products.length)
  expect(wrong).toEqual([])
})

test('the built catalog has at most 150 kB, compressed', () => {
  expect(gzipSync(source, { level: 9 }).length).toBeLessThan(150_000)
})

test('other modules are left unchanged', () => {
  expect(leanCatalog().load('/any/contract/src/catalog/catalog.ts')).toBeNull()
})
