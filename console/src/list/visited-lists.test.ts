import { expect, test } from 'vitest'
import { keepPlace, neighborOf, placeAmong, placeIn, searchOf, visit } from './visited-lists.ts'

test('navigates records in the order of the last shown list', () => {
  visit({ path: '/apps', search: {}, paths: ['/apps/1', '/apps/2', '/apps/3'] })
  expect(neighborOf('/apps/2', 1)).toBe('/apps/3')
  expect(neighborOf('/apps/2', -1)).toBe('/apps/1')
  expect(neighborOf('/apps/3', 1)).toBeUndefined()
  expect(neighborOf('/apps/1', -1)).toBeUndefined()
})

test('a record outside the last shown list has no neighbors', () => {
  visit({ path: '/apps', search: {}, paths: ['/apps/1'] })
  expect(neighborOf('/employees/1', 1)).toBeUndefined()
})

test('remembers the search of the last shown list only', () => {
  const search = { labels: ['GenAI', 'Finance'], sort: '-creationTimestamp' }
  visit({ path: '/apps', search, paths: ['/apps/1'] })
  expect(searchOf('/apps')).toEqual(search)
  expect(searchOf('/apps-other')).toEqual({})
  visit({ path: '/employees', search: {}, paths: [] })
  expect(searchOf('/apps')).toEqual({})
})

test('each list keeps its own active row', () => {
  keepPlace('apps ?labels=GenAI', { index: 7, id: 'h' })
  expect(placeIn('apps ?labels=GenAI')).toEqual({ index: 7, id: 'h' })
  expect(placeIn('apps')).toEqual({ index: 0 })
})

test('the active row follows its record, or moves to the next one if it was removed', () => {
  const records = (ids: string) => [...ids].map((id) => ({ id }))
  expect(placeAmong({ index: 0 }, [])).toEqual({ index: 0 })
  expect(placeAmong({ index: 0 }, records('abc'))).toEqual({ index: 0, id: 'a' })
  const place = { index: 1, id: 'b' }
  expect(placeAmong(place, records('abc'))).toBe(place)
  expect(placeAmong(place, records('nmabc'))).toEqual({ index: 3, id: 'b' })
  expect(placeAmong(place, records('ac'))).toEqual({ index: 1, id: 'c' })
  // A record that is not loaded yet was not removed.
  expect(placeAmong(place, records('a'))).toBe(place)
})
