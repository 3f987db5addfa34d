import { expect, test } from 'vitest'
import { monthBefore, parseReportPeriod } from './report-period.rules.ts'

const dayOf = (date: string): number => Date.parse(date) / 86_400_000

test('a month and a quarter have a period before of the same kind', () => {
  expect(parseReportPeriod('2026-01')).toEqual({
    id: '2026-01',
    from: dayOf('2026-01-01'),
    to: dayOf('2026-02-01'),
    previousFrom: dayOf('2025-12-01'),
  })
  expect(parseReportPeriod('2028-Q1')).toEqual({
    id: '2028-Q1',
    from: dayOf('2028-01-01'),
    to: dayOf('2028-04-01'),
    previousFrom: dayOf('2027-10-01'),
  })
})

test.each([
  '2026-00',
  '2026-13',
  '2026-Q0',
  '2026-Q5',
  '2026',
  '26-01',
  '2026-1',
  ' 2026-01',
  '1970-01',
  '0999-01',
])('%j is no period', (id) => expect(parseReportPeriod(id)).toBeUndefined())

test('the month before January is in the year before', () => {
  expect(monthBefore(dayOf('2026-01-15'))).toBe('2025-12')
  expect(monthBefore(dayOf('2026-12-31'))).toBe('2026-11')
})
