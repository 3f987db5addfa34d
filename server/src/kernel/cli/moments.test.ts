import { expect, test } from 'vitest'
import { UsageError } from './command.ts'
import { parseFutureMoment, parsePastMoment, readMoment } from './moments.ts'

test('a date is its first second in UTC, a time with zone is exact', () => {
  expect(readMoment('2027-01-31')).toBe(Date.UTC(2027, 0, 31) / 1000)
  expect(readMoment('2027-01-31T18:00:00+02:00')).toBe(Date.UTC(2027, 0, 31, 16) / 1000)
})

test.each([
  '2030-13-01',
  '2030-00-10',
  '2030-01-32',
  '2030-02-31',
  '2030-02-31T08:00:00Z',
  '2030-01-31T25:00Z',
])('%s is rejected', (text) => {
  expect(readMoment(text)).toBeUndefined()
  expect(() => parseFutureMoment('--expires', text, 0)).toThrow(UsageError)
  expect(() => parsePastMoment('--since', text, 0)).toThrow(UsageError)
})
