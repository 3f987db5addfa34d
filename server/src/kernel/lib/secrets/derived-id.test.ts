import { expect, test } from 'vitest'
import { fc } from '../../../../../test/support/fast-check.ts'
import { derivedId, internalId, isDerivedId } from './derived-id.ts'
import { idTimeMs, newId } from './id.ts'

const moments = fc.nat(4_000_000_000_000)
const parts = fc.array(fc.oneof(fc.string(), fc.nat()), { maxLength: 5 })

test('a derived ID is a UUIDv7 of its time, the same for the same parts, and recognized as derived', () => {
  fc.assert(
    fc.property(moments, parts, (ms, made) => {
      const id = derivedId(ms, made)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(idTimeMs(id)).toBe(ms)
      expect(derivedId(ms, [...made])).toBe(id)
      expect(isDerivedId(id)).toBe(true)
    }),
  )
})

test('other parts at the same time yield another ID', () => {
  const ids = new Set(Array.from({ length: 10_000 }, (_, at) => derivedId(1, ['finding', at])))
  expect(ids.size).toBe(10_000)
})

test('other IDs are not recognized as derived', () => {
  const ids = Array.from({ length: 1000 }, (_, at) => newId(1_790_000_000_000 + at))
  expect(ids.filter(isDerivedId)).toEqual([])
  expect(isDerivedId('employee-1')).toBe(false)
})

test('a derived ID in the form of UUIDv8 is recognized', () => {
  expect(isDerivedId(internalId(1_790_000_000_000, ['finding', 1]))).toBe(true)
})
