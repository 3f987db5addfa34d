import { expect, test } from 'vitest'
import { momentKinds } from './moment-kinds.ts'

const typed = [
  ['utcDay', '2026-06-15'],
  ['utcDay', '0002-06-15'],
  ['day', '2026-06-15'],
  ['day', '0002-06-15'],
  ['time', '2026-06-15T08:05'],
  ['time', '0002-06-15T08:05'],
] as const

// While a year is typed the field holds the years 2, 20 and 202 first.
test.each(typed)('a moment typed as %s stays as it was typed: %s', (kind, text) => {
  const { read, write } = momentKinds[kind]
  expect(write(read(text))).toBe(text)
})

// Without an end, fields take years of six digits.
test.each(['utcDay', 'day', 'time'] as const)('the last moment that can be typed as %s is one', (kind) => {
  const { read, write, max } = momentKinds[kind]
  expect(write(read(max))).toBe(max)
})
