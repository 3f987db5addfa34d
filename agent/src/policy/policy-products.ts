import type { PolicyProduct } from '@muster/contract/agent/agent-policy'
import { canonicalHost } from '@muster/contract/catalog/host-name'
import { appTypePattern } from '@muster/contract/catalog/product'

/** Limits of products that a policy adds to the catalog; the server has the same (`ProductSchema`). */
const maximum = {
  products: 1000,
  token: 64,
  name: 256,
  hosts: 64,
  words: 16,
  word: 64,
  patterns: 16,
} as const

const token = new RegExp(appTypePattern)
const isToken = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= maximum.token && token.test(value)

const isHost = (value: unknown): value is string =>
  typeof value === 'string' && canonicalHost(value) === value

/** Host patterns are compared label by label and never compiled, so no pattern is slow. */
const isHostPattern = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith('*.') && isHost(value.slice(2))

const isWord = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= maximum.word

const listOf = <T>(value: unknown, isOne: (one: unknown) => one is T, most: number): T[] =>
  Array.isArray(value) ? value.slice(0, most).filter(isOne) : []

/** Parses one product. Empty if it could not match anything. */
function readProduct(value: unknown): PolicyProduct[] {
  const { appType, friendlyName, domains, loginHosts, ...provider } = (value ?? {}) as Record<string, unknown>
  if (!isToken(appType) || typeof friendlyName !== 'string') return []
  const hosts = listOf(domains, isHost, maximum.hosts)
  if (hosts.length === 0) return []
  const product = {
    appType,
    friendlyName: friendlyName.slice(0, maximum.name),
    domains: hosts,
    loginHosts: listOf(loginHosts, isHost, maximum.hosts),
  }
  if (provider.identityProvider !== appType) return [product]
  return [
    {
      ...product,
      identityProvider: appType,
      brandWords: listOf(provider.brandWords, isWord, maximum.words),
      hostPatterns: listOf(provider.hostPatterns, isHostPattern, maximum.patterns),
    },
  ]
}

/** Parses the products that an organization added. Malformed ones are skipped. */
export const readProducts = (value: unknown): PolicyProduct[] =>
  Array.isArray(value) ? value.slice(0, maximum.products).flatMap(readProduct) : []
