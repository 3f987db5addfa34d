import { expect, test } from 'vitest'
import {
  listQuery,
  nextSort,
  parseSearch,
  stringifySearch,
  withDefaults,
  withoutDefaults,
} from './list-search.ts'

test('parses what it has written, including repeated names', () => {
  const search = { type: ['WEAK_PASSWORD', 'SHARED_ACCOUNT'], search: 'a b&c=d', sort: '-email' }
  expect(parseSearch(stringifySearch(search))).toEqual(search)
})

test('omits empty values from the query', () => {
  expect(stringifySearch({ search: undefined, type: '', state: [] })).toBe('')
})

test('sends only known parameters, in a stable order', () => {
  const known = new Set(['state', 'type'])
  const query = listQuery({ type: ['B', 'A'], signInError: 'x', state: 'OPEN' }, known)
  expect(query.toString()).toBe('state=OPEN&type=B&type=A')
})

test('cycles a column through default order, reverse order and no sorting', () => {
  expect(nextSort(undefined, 'severity')).toBe('-severity')
  expect(nextSort('-severity', 'severity')).toBe('severity')
  expect(nextSort('severity', 'severity')).toBeUndefined()
  expect(nextSort('-creationTimestamp', 'severity')).toBe('-severity')
  expect(nextSort(undefined, 'name')).toBe('name')
  expect(nextSort('name', 'name')).toBe('-name')
  expect(nextSort('-name', 'name')).toBeUndefined()
})

test('a filter by state replaces the default filter by work status, as in older links', () => {
  const defaults = { workStatus: 'TO_DO' }
  expect(withDefaults({ type: 'WEAK_PASSWORD' }, defaults)).toEqual({
    workStatus: 'TO_DO',
    type: 'WEAK_PASSWORD',
  })
  expect(withDefaults({ state: 'RESOLVED' }, defaults)).toEqual({ state: 'RESOLVED' })
})

test('applies a default filter until it is changed or removed', () => {
  const defaults = { archived: 'false' }
  expect(withDefaults({}, defaults)).toEqual({ archived: 'false' })
  expect(withDefaults({ archived: 'true' }, defaults)).toEqual({ archived: 'true' })
  const taken = withoutDefaults({ archived: undefined }, defaults)
  expect(withDefaults(taken as Record<string, string>, defaults)).toEqual({})
})
