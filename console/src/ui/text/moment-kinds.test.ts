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

// While a year is being typed, the field holds the years 2, 20 and 202.
test.each(typed)('formats a %s value as it was entered: %s', (kind, text) => {
  const { read, write } = momentKinds[kind]
  expect(write(read(text))).toBe(text)
})

// Without a maximum, inputs accept six-digit years.
test.each(['utcDay', 'day', 'time'] as const)('reads and writes the maximum of %s', (kind) => {
  const { read, write, max } = momentKinds[kind]
  expect(write(read(max))).toBe(max)
})
