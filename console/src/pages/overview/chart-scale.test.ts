import { expect, test } from 'vitest'
import { roundedUp, shareText, stacked, weekSum } from './chart-scale.ts'

const series = (name: string, values: number[]) => ({ name, tone: '', values, links: [] })

test.each([
  [0, 1],
  [1, 1],
  [3, 3],
  [10, 10],
  [11, 15],
  [210, 250],
  [7001, 8000],
  [8500, 10_000],
])('rounds %i up to %i', (value, top) => {
  expect(roundedUp(value)).toBe(top)
})

test('stacks the series in order, without empty segments', () => {
  const both = [series('a', [1, 0]), series('b', [3, 2])]
  const [first, second] = stacked(both, 2, 4)
  expect(first?.map(({ series: { name }, from, height }) => [name, from, height])).toEqual([
    ['a', 0, 0.25],
    ['b', 0.25, 0.75],
  ])
  expect(second?.map(({ series: { name }, from, height }) => [name, from, height])).toEqual([['b', 0, 0.5]])
  expect([0, 1].map((week) => weekSum(both, week))).toEqual([4, 2])
})

test('returns 0 % and 100 % only for exact shares', () => {
  expect(shareText(0, 0)).toBe('–')
  expect(shareText(0, 10)).toBe('0 %')
  expect(shareText(1, 1000)).toBe('1 %')
  expect(shareText(999, 1000)).toBe('99 %')
  expect(shareText(10, 10)).toBe('100 %')
})
