import { expect, test } from 'vitest'
import { plainType, plainTypeWords } from './type-words.ts'

test('makes a type readable', () => {
  expect(plainTypeWords('GOOGLE_WORKSPACE')).toBe('Google Workspace')
  expect(plainTypeWords('MICROSOFT_365')).toBe('Microsoft 365')
  expect(plainTypeWords('')).toBe('')
})

test.each([
  ['HubSpot', 'HUBSPOT'],
  ['monday.com', 'MONDAY_COM'],
  ['Aha!', 'AHA'],
])('derives from the name %s the type %s', (name, type) => {
  expect(plainType(name)).toBe(type)
})
