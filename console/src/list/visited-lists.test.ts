import { expect, test } from 'vitest'
import { keepPlace, neighborOf, placeAmong, placeIn, searchOf, visit } from './visited-lists.ts'

test('records are gone through in the order of the list that was last shown, and end at its ends', () => {
  visit({ path: '/apps', search: {}, paths: ['/apps/1', '/apps/2', '/apps/3'] })
  expect(neighborOf('/apps/2', 1)).toBe('/apps/3')
  expect(neighborOf('/apps/2', -1)).toBe('/apps/1')
  expect(neighborOf('/apps/3', 1)).toBeUndefined()
  expect(neighborOf('/apps/1', -1)).toBeUndefined()
})

test('a record that the list did not show has no neighbors', () => {
  visit({ path: '/apps', search: {}, paths: ['/apps/1'] })
  expect(neighborOf('/employees/1', 1)).toBeUndefined()
})

test('the list that was last shown is come back to as it was searched, any other one as it is at first', () => {
  const search = { labels: ['GenAI', 'Finance'], sort: '-creationTimestamp' }
  visit({ path: '/apps', search, paths: ['/apps/1'] })
  expect(searchOf('/apps')).toEqual(search)
  expect(searchOf('/apps-other')).toEqual({})
  visit({ path: '/employees', search: {}, paths: [] })
  expect(searchOf('/apps')).toEqual({})
})

test('each list keeps its own place', () => {
  keepPlace('apps ?labels=GenAI', { index: 7, id: 'h' })
  expect(placeIn('apps ?labels=GenAI')).toEqual({ index: 7, id: 'h' })
  expect(placeIn('apps')).toEqual({ index: 0 })
})

test('a place goes with its record, and is that of the next one when the record has left', () => {
  const records = (ids: string) => [...ids].map((id) => ({ id }))
  expect(placeAmong({ index: 0 }, [])).toEqual({ index: 0 })
  expect(placeAmong({ index: 0 }, records('abc'))).toEqual({ index: 0, id: 'a' })
  const place = { index: 1, id: 'b' }
  expect(placeAmong(place, records('abc'))).toBe(place)
  expect(placeAmong(place, records('nmabc'))).toEqual({ index: 3, id: 'b' })
  expect(placeAmong(place, records('ac'))).toEqual({ index: 1, id: 'c' })
  // What has not come yet has not left.
  expect(placeAmong(place, records('a'))).toBe(place)
})
