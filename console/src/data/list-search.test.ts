import { expect, test } from 'vitest'
import { listQuery, nextSort, parseSearch, stringifySearch, withoutUsual, withUsual } from './list-search.ts'

test('an address is read as it was written, with several values of a name', () => {
  const search = { type: ['WEAK_PASSWORD', 'SHARED_ACCOUNT'], search: 'a b&c=d', sort: '-email' }
  expect(parseSearch(stringifySearch(search))).toEqual(search)
})

test('what is empty leaves no trace in the address', () => {
  expect(stringifySearch({ search: undefined, type: '', state: [] })).toBe('')
})

test('the server is asked only for what its list knows, in one order', () => {
  const known = new Set(['state', 'type'])
  const query = listQuery({ type: ['B', 'A'], signInError: 'x', state: 'OPEN' }, known)
  expect(query.toString()).toBe('state=OPEN&type=B&type=A')
})

test('a column is sorted downwards, upwards, and then as the list comes', () => {
  expect(nextSort(undefined, 'severity')).toBe('-severity')
  expect(nextSort('-severity', 'severity')).toBe('severity')
  expect(nextSort('severity', 'severity')).toBeUndefined()
  expect(nextSort('-creationTimestamp', 'severity')).toBe('-severity')
  expect(nextSort(undefined, 'name')).toBe('name')
  expect(nextSort('name', 'name')).toBe('-name')
  expect(nextSort('-name', 'name')).toBeUndefined()
})

test('a usual filter holds until it is changed or taken away', () => {
  const usual = { archived: 'false' }
  expect(withUsual({}, usual)).toEqual({ archived: 'false' })
  expect(withUsual({ archived: 'true' }, usual)).toEqual({ archived: 'true' })
  const taken = withoutUsual({ archived: undefined }, usual)
  expect(withUsual(taken as Record<string, string>, usual)).toEqual({})
})
