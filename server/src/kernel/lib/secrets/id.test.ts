import { expect, test } from 'vitest'
import { fc } from '../../../../../test/support/fast-check.ts'
import { idSource, idTimeMs, isUuid, newId } from './id.ts'

const nowMs = Date.UTC(2026, 0, 2, 3, 4, 5)

test('an ID is a UUIDv7 with its time', () => {
  const id = idSource()(nowMs)
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(nowMs)
  expect(isUuid(id)).toBe(true)
})

test('IDs sort in the order of creation, whatever the clock does', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -5, max: 5 }), { maxLength: 200 }), (steps) => {
      const next = idSource()
      let clockMs = nowMs
      const ids = steps.map((step) => {
        clockMs += step
        return next(clockMs)
      })
      expect(ids).toEqual([...ids].sort())
      expect(new Set(ids).size).toBe(ids.length)
    }),
  )
})

test('100,000 IDs of one millisecond are distinct and in order', () => {
  const ids = Array.from({ length: 100_000 }, () => newId(nowMs))
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toEqual([...ids].sort())
})

test('uses the next millisecond when the counter overflows', () => {
  // It begins at the end of its lower half.
  const next = idSource(() => 255, 2 ** 25 + 2)
  const ids = Array.from({ length: 4 }, () => next(nowMs))
  expect(ids.map(idTimeMs)).toEqual([nowMs, nowMs, nowMs, nowMs + 1])
  expect(ids).toEqual(ids.toSorted())
})

test('the same random bytes make the same IDs', () => {
  expect(idSource(() => 7)(nowMs)).toBe(idSource(() => 7)(nowMs))
})

test.each([
  '',
  'abc',
  '0190B5C0-0000-7000-8000-000000000000',
  `${newId(nowMs)}\n`,
  newId(nowMs).replaceAll('-', ''),
])('rejects a text that is not a canonical UUID: %j', (text) => {
  expect(isUuid(text)).toBe(false)
})
