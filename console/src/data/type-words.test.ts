import { expect, test } from 'vitest'
import { plainTypeWords } from './type-words.ts'

test('a type is made readable, word by word', () => {
  expect(plainTypeWords('GOOGLE_WORKSPACE')).toBe('Google Workspace')
  expect(plainTypeWords('MICROSOFT_365')).toBe('Microsoft 365')
  expect(plainTypeWords('')).toBe('')
})
