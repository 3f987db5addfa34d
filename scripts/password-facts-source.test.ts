import { expect, test } from 'vitest'
import type { Product } from '../contract/src/catalog/product.ts'
import { accountSystemsFrom, passwordSitesFrom } from './password-facts-source.ts'

const product: Product = {
  appType: 'TWO_NAMES',
  friendlyName: 'Two names',
  website: 'https://one.example',
  description: 'A product.',
  domains: ['one.example', 'two.example'],
  loginHosts: [],
}
const systems = (shared: object[], historical: object[] = [], products: Product[] = []) =>
  accountSystemsFrom({ shared, historical } as Parameters<typeof accountSystemsFrom>[0], products)

test('sites that share credentials become domains, one-way ones from, and historical ones former', () => {
  expect(
    systems(
      [{ shared: ['a.example', 'b.example'] }, { from: ['old.example'], to: ['new.example'] }],
      [{ shared: ['x.example', 'y.example'] }],
    ),
  ).toEqual([
    { domains: ['a.example', 'b.example'] },
    { domains: ['new.example'], from: ['old.example'] },
    { domains: [], former: ['x.example', 'y.example'] },
  ])
})

test('groups that share a host are merged, and a host belongs to the least trusted set', () => {
  expect(
    systems(
      [{ from: ['b.example'], to: ['c.example'] }, { shared: ['a.example', 'b.example'] }],
      [{ shared: ['a.example', 'd.example'] }],
    ),
  ).toEqual([{ domains: ['a.example', 'c.example'], from: ['b.example'], former: ['d.example'] }])
})

test('groups with hosts of one product are merged', () => {
  const groups = [{ shared: ['one.example', 'a.example'] }, { shared: ['two.example', 'b.example'] }]
  expect(systems(groups)).toHaveLength(2)
  expect(systems(groups, [], [product])).toEqual([
    { domains: ['two.example', 'b.example', 'one.example', 'a.example'] },
  ])
})

test('public suffixes are skipped', () => {
  expect(systems([{ shared: ['gov.br', 'a.example', 'b.example'] }])).toEqual([
    { domains: ['a.example', 'b.example'] },
  ])
})

test('an invalid host name fails the import', () => {
  expect(() => systems([{ shared: ['a.example', 'https://b.example'] }])).toThrow('https://b.example')
})

test('facts of one site are merged, and a URL without TLS is skipped', () => {
  expect(
    passwordSitesFrom({
      ...{ shared: [], historical: [] },
      changeUrls: {
        'bank.example': 'https://bank.example/password',
        'plain.example': 'http://plain.example/',
      },
      appendCode: ['bank.example'],
      askForOthers: ['pay.example'],
    }),
  ).toEqual([
    { host: 'bank.example', changeUrl: 'https://bank.example/password', appendsCode: true },
    { host: 'pay.example', asksForOthers: true },
  ])
})
