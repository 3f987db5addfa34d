import { expect, test } from 'vitest'
import { randomByteSource } from './random-pool.ts'

test('returns every byte value and does not repeat blocks', () => {
  const nextByte = randomByteSource(16)
  const bytes = Array.from({ length: 16_000 }, nextByte)
  expect(new Set(bytes).size).toBe(256)
  expect(bytes.slice(0, 16)).not.toEqual(bytes.slice(16, 32))
})
