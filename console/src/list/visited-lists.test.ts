import { expect, test } from 'vitest'
import { activeRowOf, neighborOf, rememberList, rowAmong, saveActiveRow, searchOf } from './visited-lists.ts'

test('navigates records in the order of the last shown list', () => {
  rememberList({ path: '/apps', search: {}, paths: ['/apps/1', '/apps/2', '/apps/3'] })
  expect(neighborOf('/apps/2', 1)).toBe('/apps/3')
  expect(neighborOf('/apps/2', -1)).toBe('/apps/1')
  expect(neighborOf('/apps/3', 1)).toBeUndefined()
  expect(neighborOf('/apps/1', -1)).toBeUndefined()
})

test('a record outside the last shown list has no neighbors', () => {
  rememberList({ path: '/apps', search: {}, paths: ['/apps/1'] })
  expect(neighborOf('/employees/1', 1)).toBeUndefined()
})

test('remembers the search of the last shown list only', () => {
  const search = { labels: ['GenAI', 'Finance'], sort: '-creationTimestamp' }
  rememberList({ path: '/apps', search, paths: ['/apps/1'] })
  expect(searchOf('/apps')).toEqual(search)
  expect(searchOf('/apps-other')).toEqual({})
  rememberList({ path: '/employees', search: {}, paths: [] })
  expect(searchOf('/apps')).toEqual({})
})

test('each list keeps its own active row', () => {
  saveActiveRow('apps ?labels=GenAI', { index: 7, id: 'h' })
  expect(activeRowOf('apps ?labels=GenAI')).toEqual({ index: 7, id: 'h' })
  expect(activeRowOf('apps')).toEqual({ index: 0 })
})

test('the active row follows its record, or moves to the next one if it was removed', () => {
  const records = (ids: string) => [...ids].map((id) => ({ id }))
  expect(rowAmong({ index: 0 }, [])).toEqual({ index: 0 })
  expect(rowAmong({ index: 0 }, records('abc'))).toEqual({ index: 0, id: 'a' })
  const row = { index: 1, id: 'b' }
  expect(rowAmong(row, records('abc'))).toBe(row)
  expect(rowAmong(row, records('nmabc'))).toEqual({ index: 3, id: 'b' })
  expect(rowAmong(row, records('ac'))).toEqual({ index: 1, id: 'c' })
  // A record that is not loaded yet was not removed.
  expect(rowAmong(row, records('a'))).toBe(row)
})
