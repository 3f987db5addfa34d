import { catalogProblems } from '@muster/contract/catalog/catalog-check'
import { expect, test } from 'vitest'
import { draftOf, emptyDraft, productOf, productToken } from './product-draft.ts'

const draft = {
  name: ' Acme Sign-in ',
  hosts: 'https://sso.acme.example/realms/acme\n*.fs.acme.example\n\nsso.acme.example',
  isProvider: true,
  words: 'Acme\nAcme Sign-in',
}

test('derives a unique app type from the name', () => {
  expect(productToken('Acme Sign-in', [])).toBe('ACME_SIGN_IN')
  expect(productToken('Acme Sign-in', ['ACME_SIGN_IN'])).toBe('ACME_SIGN_IN_2')
  expect(productToken('Élan 2', [])).toBe('E_LAN_2')
  expect(productToken('登录', [])).toBe('OWN_APP')
  expect(productToken('9 lives', [])).toBe('LIVES')
  expect(productToken('x'.repeat(200), []).length).toBeLessThanOrEqual(64)
})

test('a provider with hosts, host patterns and words passes the catalog check', () => {
  const product = productOf(draft, 'ACME_SIGN_IN')
  expect(product).toEqual({
    appType: 'ACME_SIGN_IN',
    friendlyName: 'Acme Sign-in',
    website: 'https://sso.acme.example',
    description: 'Signs employees in to apps.',
    domains: ['sso.acme.example', 'fs.acme.example'],
    loginHosts: ['sso.acme.example', 'fs.acme.example'],
    identityProvider: 'ACME_SIGN_IN',
    brandWords: ['Acme', 'Acme Sign-in'],
    hostPatterns: ['*.fs.acme.example'],
  })
  expect(catalogProblems([product])).toEqual([])
})

test('an app has only hosts', () => {
  const product = productOf({ ...draft, isProvider: false }, 'ACME')
  expect(product).toMatchObject({ domains: ['sso.acme.example', 'fs.acme.example'], loginHosts: [] })
  expect(product.identityProvider).toBeUndefined()
  expect(catalogProblems([product])).toEqual([])
})

test('a product survives the conversion to form values and back', () => {
  const product = productOf(draft, 'ACME_SIGN_IN')
  expect(productOf(draftOf(product), 'ACME_SIGN_IN')).toMatchObject({
    ...product,
    domains: expect.arrayContaining([...product.domains]),
  })
  expect(productOf(emptyDraft, 'X').domains).toEqual([])
})
