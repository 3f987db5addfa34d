import { expect, test } from 'vitest'
import { keepPlace, neighbourOf, placeIn, searchOf, visit } from './visited-lists.ts'

test('records are gone through in the order of the list that was last shown, and end at its ends', () => {
  visit({ path: '/apps', search: {}, paths: ['/apps/1', '/apps/2', '/apps/3'] })
  expect(neighbourOf('/apps/2', 1)).toBe('/apps/3')
  expect(neighbourOf('/apps/2', -1)).toBe('/apps/1')
  expect(neighbourOf('/apps/3', 1)).toBeUndefined()
  expect(neighbourOf('/apps/1', -1)).toBeUndefined()
})

test('a record that the list did not show has no neighbours', () => {
  visit({ path: '/apps', search: {}, paths: ['/apps/1'] })
  expect(neighbourOf('/employees/1', 1)).toBeUndefined()
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
  keepPlace('apps ?labels=GenAI', 7)
  expect(placeIn('apps ?labels=GenAI')).toBe(7)
  expect(placeIn('apps')).toBe(0)
})
