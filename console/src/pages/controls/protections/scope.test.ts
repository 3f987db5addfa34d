import { expect, test } from 'vitest'
import { moved, scopeOf, scopeText, trimmedScope } from './scope.ts'

const nameOf = (type: string) => type.toLowerCase()

test('a scope that names nothing is for everybody and all apps', () => {
  expect(trimmedScope({ groups: [], appTypes: [] })).toEqual({})
  expect(scopeText({ groups: [], employeeIds: [] }, nameOf)).toBe('Everyone, all apps')
})

test('of a rule only what says whom and what it is for is its scope', () => {
  const rule = { groups: ['Sales'], appTypes: [], mode: 'WARN' }
  expect(scopeOf(rule)).toEqual({ groups: ['Sales'] })
})

test('a scope is told in words', () => {
  expect(scopeText({ groups: ['Sales', 'Leads'], appTypes: ['OKTA'] }, nameOf)).toBe(
    'Only groups Sales, Leads, apps: okta',
  )
  expect(
    scopeText({ employeeIds: ['a'], approvalStatuses: ['NOT_APPROVED'], labels: ['GenAI'] }, nameOf),
  ).toBe('Only 1 employee, apps: not approved; labeled GenAI')
  expect(scopeText({ groups: ['a', 'b', 'c', 'd', 'e'] }, nameOf)).toBe(
    'Only groups a, b, c and 2 more, all apps',
  )
})

test('rules are moved within their list and never out of it', () => {
  expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b'])
  expect(moved(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c'])
  expect(moved(['a', 'b'], 0, -1)).toEqual(['a', 'b'])
  expect(moved(['a', 'b'], 1, 2)).toEqual(['a', 'b'])
})
