import { expect, test } from 'vitest'
import { seededRandom } from './seeded-random.ts'

const first = (seed: number, count: number) => {
  const random = seededRandom(seed)
  return Array.from({ length: count }, () => random.fraction())
}

test('the same seed yields the same numbers, another seed others', () => {
  expect(first(1, 100)).toEqual(first(1, 100))
  expect(first(1, 100)).not.toEqual(first(2, 100))
})

test('fractions are uniformly distributed from 0 to 1', () => {
  const numbers = first(7, 100_000)
  expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true)
  const tenths = Array.from(
    { length: 10 },
    (_, tenth) => numbers.filter((n) => Math.floor(n * 10) === tenth).length,
  )
  expect(tenths.every((count) => Math.abs(count - 10_000) < 400)).toBe(true)
})

test('a sample holds different items in their order, all of them if there are too few', () => {
  const items = Array.from({ length: 50 }, (_, at) => at)
  for (let seed = 0; seed < 200; seed += 1) {
    const sample = seededRandom(seed).sample(items, 7)
    expect(sample).toHaveLength(7)
    expect(sample).toEqual([...new Set(sample)].sort((one, other) => one - other))
  }
  expect(seededRandom(1).sample([1, 2], 5)).toEqual([1, 2])
})

test('throws when picking from an empty list', () => {
  expect(() => seededRandom(1).pick([])).toThrow(RangeError)
  expect(() => seededRandom(1).weighted([])).toThrow(RangeError)
})

test('items with more weight are picked more often', () => {
  const random = seededRandom(3)
  const picked = Array.from({ length: 10_000 }, () => random.weighted([{ weight: 1 }, { weight: 9 }]).weight)
  expect(picked.filter((weight) => weight === 9).length / 1000).toBeCloseTo(9, 0)
})
