import { afterEach, expect, test } from 'vitest'
import { momentKinds } from './moment-kinds.ts'
import { dayOrMomentText, momentText } from './moment-text.ts'
import { setTimeZone } from './time-zone.ts'

const seconds = Date.UTC(2026, 5, 15, 8, 5, 9) / 1000
const midnight = Date.UTC(2026, 5, 15) / 1000

afterEach(() => setTimeZone('local'))

test('formats a time with seconds and time zone', () => {
  expect(momentText(seconds)).toMatch(/^\d+ Jun 2026, \d\d:\d\d:09 \S+/)
  setTimeZone('utc')
  expect(momentText(seconds)).toBe('15 Jun 2026, 08:05:09 UTC')
})

test('with UTC selected, days start at midnight UTC and inputs are in UTC', () => {
  setTimeZone('utc')
  expect(dayOrMomentText(midnight)).toBe('15 Jun 2026')
  expect(momentKinds.time.write(seconds)).toBe('2026-06-15T08:05')
  expect(momentKinds.time.read('2026-06-15T08:05')).toBe(seconds - 9)
  expect(momentKinds.day.read('2026-06-15')).toBe(midnight)
  expect(momentKinds.day.write(midnight)).toBe('2026-06-15')
})
