import { expect, test } from 'vitest'
import { plainType, readableType } from './type-words.ts'

test('makes a type readable', () => {
  expect(readableType('GOOGLE_WORKSPACE')).toBe('Google Workspace')
  expect(readableType('MICROSOFT_365')).toBe('Microsoft 365')
  expect(readableType('')).toBe('')
})

test.each([
  ['HubSpot', 'HUBSPOT'],
  ['monday.com', 'MONDAY_COM'],
  ['Aha!', 'AHA'],
])('derives from the name %s the type %s', (name, type) => {
  expect(plainType(name)).toBe(type)
})
