import { expect, test } from 'vitest'
import { sightingFilter } from './sighting-filter.ts'

const visit = (tabId: number, url: string, isMainFrame = true) => ({ tabId, url, isMainFrame })

test('the same address in the same tab is new once a minute', () => {
  const isNew = sightingFilter()
  expect([0, 1000, 59_999, 60_000, 60_001].map((ms) => isNew(visit(1, 'https://a.example/'), ms))).toEqual([
    true,
    false,
    false,
    true,
    false,
  ])
})

test('another address, and another tab, is a visit of its own', () => {
  const isNew = sightingFilter()
  expect(isNew(visit(1, 'https://a.example/'), 0)).toBe(true)
  expect(isNew(visit(1, 'https://b.example/'), 0)).toBe(true)
  expect(isNew(visit(2, 'https://a.example/'), 0)).toBe(true)
})

test('a clock that is set back hides nothing', () => {
  const isNew = sightingFilter()
  isNew(visit(1, 'https://a.example/'), 1e9)
  expect(isNew(visit(1, 'https://a.example/'), 0)).toBe(true)
})

test('a page that loads blocked frames without end is told of some, and what the tab opens of all', () => {
  const isNew = sightingFilter()
  const frames = Array.from({ length: 5000 }, (_, n) => visit(1, `https://a.example/${n}`, false))
  expect(frames.filter((frame, n) => isNew(frame, n)).length).toBe(20)
  expect(isNew(visit(1, 'https://a.example/opened'), 5000)).toBe(true)
  expect(isNew(visit(2, 'https://a.example/1', false), 5000)).toBe(true)
})
