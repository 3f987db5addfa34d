import { expect, test } from 'vitest'
import { changeText, figureText, periodText, type ReportFigure, verdictOf } from './report-figures.ts'

const figure = (
  value: number | null,
  before: number | null,
  facts: Partial<ReportFigure> = {},
): ReportFigure => ({ id: 'x', label: 'X', unit: 'COUNT', betterWhen: 'LOWER', value, before, ...facts })

test.each([
  [figure(12, 10), '+20 %', 'WORSE'],
  [figure(8, 10), '−20 %', 'BETTER'],
  [figure(8, 10, { betterWhen: 'HIGHER' }), '−20 %', 'WORSE'],
  [figure(103, 100), '+3 %', undefined],
  [figure(1000, 999), 'unchanged', undefined],
  [figure(5, 0), 'new', 'WORSE'],
  [figure(0, 0), 'unchanged', undefined],
  [figure(0, 4), '−100 %', 'BETTER'],
  [figure(150, 10), '×15', 'WORSE'],
  [figure(null, 4), '–', undefined],
  [figure(4, null), '–', undefined],
  [figure(71.5, 70, { unit: 'PERCENT', betterWhen: 'HIGHER' }), '+1.5 points', 'BETTER'],
  [figure(70.3, 70, { unit: 'PERCENT', betterWhen: 'HIGHER' }), '+0.3 points', undefined],
] as const)('a change of %o', (given, text, verdict) => {
  expect([changeText(given), verdictOf(given)]).toEqual([text, verdict])
})

test('a figure that is neither good nor bad has no verdict', () => {
  const { betterWhen: _betterWhen, ...neutral } = figure(20, 10)
  expect(verdictOf(neutral)).toBeUndefined()
})

test('values and periods are written for people', () => {
  expect(figureText(1234, 'COUNT')).toBe('1,234')
  expect(figureText(0.96, 'DAYS')).toBe('1.0 day')
  expect(figureText(97.44, 'PERCENT')).toBe('97.4 %')
  expect(figureText(null, 'DAYS')).toBe('–')
  expect(periodText('2026-10')).toBe('October 2026')
  expect(periodText('2026-Q4')).toBe('Quarter 4 of 2026')
})
