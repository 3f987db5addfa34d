import { expect, test } from 'vitest'
import { offsetShownBy } from './server-clock.ts'

const sentMs = Date.parse('2025-11-21T08:00:00Z')

test.each([
  ['the same second', 'Fri, 21 Nov 2025 08:00:00 GMT', 0],
  ['a second or two apart', 'Fri, 21 Nov 2025 08:00:01 GMT', 0],
  ['an hour ahead', 'Fri, 21 Nov 2025 09:00:00 GMT', 3_600_400],
  ['a day behind', 'Thu, 20 Nov 2025 08:00:00 GMT', -86_399_600],
  ['unreadable', 'yesterday', null],
  ['absent', null, null],
])('the offset of a Date field %s', (_, field, offsetMs) => {
  expect(offsetShownBy(field, sentMs, sentMs + 200)).toBe(offsetMs)
})

test('a clock set back during the request gives no offset', () => {
  expect(offsetShownBy('Fri, 21 Nov 2025 08:00:00 GMT', sentMs, sentMs - 1)).toBeNull()
})
