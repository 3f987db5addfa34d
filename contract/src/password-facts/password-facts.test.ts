import { readFileSync } from 'node:fs'
import { parse } from 'tldts'
import { Compile } from 'typebox/schema'
import { expect, test } from 'vitest'
import { canonicalHost } from '../catalog/host-name.ts'
import { products } from '../catalog/products.ts'
import { accountSystems, passwordSites } from './password-facts.ts'
import { AccountSystemSchema, PasswordSiteSchema } from './password-facts-schema.ts'
import { accountSystemsText, passwordSitesText } from './password-facts-text.ts'

const systemHosts = accountSystems.map(({ domains, from = [], former = [] }) => [
  ...domains,
  ...from,
  ...former,
])
const text = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')

test('the facts have their shape, and stand in the form that npm run password-facts:import writes', () => {
  const [isSystem, isSite] = [Compile(AccountSystemSchema), Compile(PasswordSiteSchema)]
  expect(accountSystems.filter((system) => !isSystem.Check(system))).toEqual([])
  expect(passwordSites.filter((site) => !isSite.Check(site))).toEqual([])
  expect(text('./account-systems.jsonl') === accountSystemsText(accountSystems)).toBe(true)
  expect(text('./password-sites.jsonl') === passwordSitesText(passwordSites)).toBe(true)
})

test('hosts are canonical, below a public suffix, and in one system or site', () => {
  for (const hosts of [systemHosts.flat(), passwordSites.map(({ host }) => host)]) {
    expect(hosts.length).toBeGreaterThan(500)
    expect(hosts.filter((host) => canonicalHost(host) !== host || parse(host).domain === null)).toEqual([])
    expect(new Set(hosts).size).toBe(hosts.length)
  }
})

test('every system has at least two hosts, and every site a fact', () => {
  expect(systemHosts.filter((hosts) => hosts.length < 2)).toEqual([])
  expect(passwordSites.filter((site) => Object.keys(site).length < 2)).toEqual([])
})

test('pages to change a password are opened by https, without credentials', () => {
  const urls = passwordSites.flatMap(({ changeUrl }) => changeUrl ?? [])
  const wrong = urls.filter((url) => {
    const { protocol, username, password } = new URL(url)
    return protocol !== 'https:' || username !== '' || password !== ''
  })
  expect(urls.length).toBeGreaterThan(500)
  expect(wrong).toEqual([])
})

test('no product is in two systems: after a change of the catalog, import the facts again', () => {
  const systemOf = new Map(systemHosts.flatMap((hosts, index) => hosts.map((host) => [host, index] as const)))
  const torn = products.filter(({ domains, loginHosts }) => {
    const systems = [...domains, ...loginHosts].flatMap((host) => systemOf.get(host) ?? [])
    return new Set(systems).size > 1
  })
  expect(torn.map(({ appType }) => appType)).toEqual([])
})
