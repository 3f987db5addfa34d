import { gzipSync } from 'node:zlib'
import { accountSystems, passwordSites } from '@muster/contract/password-facts/password-facts'
import type { AccountSystem, PasswordSite } from '@muster/contract/password-facts/password-facts-schema'
import { expect, test } from 'vitest'
import { leanPasswordFacts } from './lean-password-facts.ts'

const source = leanPasswordFacts().load('/any/contract/src/password-facts/password-facts.ts') ?? ''
const module = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as {
  accountSystems: readonly AccountSystem[]
  passwordSites: readonly PasswordSite[]
}

test('the build includes all account systems and special sites, and no pages for changing a password', () => {
  const full = ({ domains, from = [], former = [] }: AccountSystem) => ({ domains, from, former })
  expect(module.accountSystems).toEqual(accountSystems.map(full))
  const facts = ({ host, appendsCode, asksForOthers }: PasswordSite) => [host, appendsCode, asksForOthers]
  const apart = passwordSites.filter(({ appendsCode, asksForOthers }) => appendsCode || asksForOthers)
  expect(module.passwordSites.map(facts)).toEqual(apart.map(facts))
  expect(source).not.toContain('https://')
})

test('the built password facts have at most 6 kB, compressed', () => {
  expect(gzipSync(source, { level: 9 }).length).toBeLessThan(6_000)
})

test('other modules are left unchanged', () => {
  expect(leanPasswordFacts().load('/any/contract/src/password-facts/password-sites.ts')).toBeNull()
})
