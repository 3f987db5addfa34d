import { expect, test } from 'vitest'
import { sightingFilter } from './sighting-filter.ts'

test('the same address in the same tab is new once a minute', () => {
  const isNew = sightingFilter()
  expect([0, 1000, 59_999, 60_000, 60_001].map((ms) => isNew(1, 'https://a.example/', ms))).toEqual([
    true,
    false,
    false,
    true,
    false,
  ])
})

test('another address, and another tab, is a visit of its own', () => {
  const isNew = sightingFilter()
  expect(isNew(1, 'https://a.example/', 0)).toBe(true)
  expect(isNew(1, 'https://b.example/', 0)).toBe(true)
  expect(isNew(2, 'https://a.example/', 0)).toBe(true)
})

test('a clock that is set back hides nothing', () => {
  const isNew = sightingFilter()
  isNew(1, 'https://a.example/', 1e9)
  expect(isNew(1, 'https://a.example/', 0)).toBe(true)
})
