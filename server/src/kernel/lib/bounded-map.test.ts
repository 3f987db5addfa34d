import { expect, test } from 'vitest'
import { fc } from '../../../../test/support/fast-check.ts'
import { boundedMap } from './bounded-map.ts'

test('an entry is found until it is deleted', () => {
  const map = boundedMap<string, number>(10)
  map.set('a', 1)
  map.set('a', 2)
  expect(map.get('a')).toBe(2)
  expect(map.size).toBe(1)
  expect(map.delete('a')).toBe(true)
  expect(map.delete('a')).toBe(false)
  expect(map.get('a')).toBeUndefined()
})

test('keeps used entries and evicts others', () => {
  const map = boundedMap<number, string>(10)
  map.set(0, 'used')
  for (let key = 1; key <= 1_000; key += 1) {
    map.set(key, 'once')
    expect(map.get(0)).toBe('used')
  }
  expect(map.get(900)).toBeUndefined()
  expect(map.get(1_000)).toBe('once')
})

test('is empty after clear', () => {
  const map = boundedMap<number, number>(4)
  for (let key = 0; key < 4; key += 1) map.set(key, key)
  map.clear()
  expect(map.size).toBe(0)
  expect(map.get(3)).toBeUndefined()
})

test('any use keeps it within its capacity, correct and with the most recent half', () => {
  const step = fc.record({ kind: fc.constantFrom('set', 'get', 'delete'), key: fc.nat(20), value: fc.nat() })
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 12 }), fc.array(step, { maxLength: 200 }), (capacity, steps) => {
      const map = boundedMap<number, number>(capacity)
      const model = new Map<number, number>()
      for (const { kind, key, value } of steps) {
        const known = model.get(key)
        const found = kind === 'get' ? map.get(key) : undefined
        expect([undefined, known]).toContain(found)
        if (kind === 'set') map.set(key, value)
        if (kind === 'delete') map.delete(key)
        model.delete(key)
        if (kind === 'set') model.set(key, value)
        if (found !== undefined) model.set(key, found)
        expect(map.size).toBeLessThanOrEqual(capacity)
      }
      const recent = [...model].slice(-1)
      for (const [key, value] of recent) expect(map.get(key)).toBe(value)
    }),
  )
})

test.each([0, 1, 1.5, Number.NaN])('throws for a capacity of %d', (capacity) => {
  expect(() => boundedMap(capacity)).toThrow(RangeError)
})
