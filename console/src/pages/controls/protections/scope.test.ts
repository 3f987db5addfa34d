import { expect, test } from 'vitest'
import { moved, scopeOf, scopeText, trimmedScope } from './scope.ts'

const appName = (type: string) => type.toLowerCase()

test('an empty scope covers everyone and all apps', () => {
  expect(trimmedScope({ groups: [], appTypes: [] })).toEqual({})
  expect(scopeText({ groups: [], employeeIds: [] }, appName)).toBe('Everyone, all apps')
})

test('returns only the scope members of a rule', () => {
  const rule = { groups: ['Sales'], appTypes: [], mode: 'WARN' }
  expect(scopeOf(rule)).toEqual({ groups: ['Sales'] })
})

test('describes a scope in words', () => {
  expect(scopeText({ groups: ['Sales', 'Leads'], appTypes: ['OKTA'] }, appName)).toBe(
    'Only groups Sales, Leads, apps: okta',
  )
  expect(
    scopeText({ employeeIds: ['a'], approvalStatuses: ['NOT_APPROVED'], labels: ['GenAI'] }, appName),
  ).toBe('Only 1 employee, apps: not approved; labeled GenAI')
  expect(scopeText({ groups: ['a', 'b', 'c', 'd', 'e'] }, appName)).toBe(
    'Only groups a, b, c and 2 more, all apps',
  )
})

test('moves rules within the bounds of their list', () => {
  expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b'])
  expect(moved(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c'])
  expect(moved(['a', 'b'], 0, -1)).toEqual(['a', 'b'])
  expect(moved(['a', 'b'], 1, 2)).toEqual(['a', 'b'])
})
