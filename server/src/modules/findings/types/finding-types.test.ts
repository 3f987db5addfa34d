import { findingTypes as contractTypes } from '@muster/contract/records/finding'
import { expect, test } from 'vitest'
import { findingSeverity, findingTypes, findingTypesFor } from './finding-types.ts'

const typesFor = (trigger: Parameters<typeof findingTypesFor>[0]) =>
  findingTypesFor(trigger).map(({ type }) => type)

test('every type of the contract is declared once', () => {
  expect(findingTypes.map(({ type }) => type).sort()).toEqual([...contractTypes].sort())
})

test('triggers select their types in the order of the list', () => {
  expect(typesFor('PASSWORD_LOGIN')).toEqual(['WEAK_PASSWORD', 'LEAKED_PASSWORD', 'STOLEN_CREDENTIALS'])
  expect(typesFor('ACCOUNT_USED')).toEqual(['MFA_NOT_REGISTERED', 'SHARED_ACCOUNT', 'UNUSED_THIRD_PARTY_APP'])
  expect(typesFor('TIME_PASSED')).toEqual(['SHARED_ACCOUNT', 'UNUSED_THIRD_PARTY_APP'])
})

test.each([
  ['STOLEN_CREDENTIALS', 'HIGH'],
  ['WEAK_PASSWORD', 'MEDIUM'],
  ['UNUSED_THIRD_PARTY_APP', 'LOW'],
])('%s has the severity %s', (type, severity) => {
  expect(findingSeverity(type)).toBe(severity)
})
