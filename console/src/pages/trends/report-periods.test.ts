import { expect, test } from 'vitest'
import { reportPeriods } from './report-periods.ts'

test('offers the current and earlier months and quarters, across the end of a year', () => {
  const { past, months, quarters } = reportPeriods(Date.parse('2026-02-03T10:00:00Z') / 1000)
  expect(past).toEqual(['2026-01', '2025-Q4'])
  expect(months.slice(0, 4)).toEqual(['2026-02', '2026-01', '2025-12', '2025-11'])
  expect(months.at(-1)).toBe('2025-02')
  expect(quarters).toEqual(['2026-Q1', '2025-Q4', '2025-Q3', '2025-Q2', '2025-Q1'])
})
