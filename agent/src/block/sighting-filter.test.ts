import { expect, test } from 'vitest'
import { sightingFilter } from './sighting-filter.ts'

const visit = (tabId: number, url: string, isMainFrame = true) => ({ tabId, url, isMainFrame })

test('the same address in the same tab is a new visit once a minute', () => {
  const isNew = sightingFilter()
  expect([0, 1000, 59_999, 60_000, 60_001].map((ms) => isNew(visit(1, 'https://a.example/'), ms))).toEqual([
    true,
    false,
    false,
    true,
    false,
  ])
})

test('another address or another tab is a separate visit', () => {
  const isNew = sightingFilter()
  expect(isNew(visit(1, 'https://a.example/'), 0)).toBe(true)
  expect(isNew(visit(1, 'https://b.example/'), 0)).toBe(true)
  expect(isNew(visit(2, 'https://a.example/'), 0)).toBe(true)
})

test('a clock that is set back hides no visit', () => {
  const isNew = sightingFilter()
  isNew(visit(1, 'https://a.example/'), 1e9)
  expect(isNew(visit(1, 'https://a.example/'), 0)).toBe(true)
})

test('many blocked frames of a page are reported in part, and all main frames', () => {
  const isNew = sightingFilter()
  const frames = Array.from({ length: 5000 }, (_, n) => visit(1, `https://a.example/${n}`, false))
  expect(frames.filter((frame, n) => isNew(frame, n)).length).toBe(20)
  expect(isNew(visit(1, 'https://a.example/opened'), 5000)).toBe(true)
  expect(isNew(visit(2, 'https://a.example/1', false), 5000)).toBe(true)
})
