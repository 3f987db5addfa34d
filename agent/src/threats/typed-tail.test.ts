import { expect, test } from 'vitest'
import { fingerprintOf, hintOf } from '../password/fingerprint.ts'
import { afterKey, candidateFingerprints, emptyTail } from './typed-tail.ts'

const salt = '6f1d9c1e-0b6f-4c39-9b55-3f6f2f0f8a11'
const password = 'Tr0ub4dor&3'
const fingerprint = fingerprintOf(salt, password)
const hints = [{ length: password.length, hint: hintOf(fingerprint) }]
const typed = (...keys: string[]) => keys.reduce(afterKey, emptyTail).text

test('typed text is tracked, including corrections, up to the needed length', () => {
  expect(typed('a', 'Shift', 'B', 'x', 'Backspace', 'é')).toBe('aBé')
  expect(typed('a', 'Tab', 'b')).toBe('b')
  expect(typed('a', 'Enter')).toBe('')
  expect(typed(...Array.from({ length: 500 }, () => 'a'))).toHaveLength(128)
})

test('a protected password is recognized at its last key, regardless of earlier text', () => {
  expect(candidateFingerprints(password, salt, hints)).toEqual([fingerprint])
  expect(candidateFingerprints(`my password: ${password}`, salt, hints)).toEqual([fingerprint])
  expect(candidateFingerprints(password.slice(0, -1), salt, hints)).toEqual([])
  expect(
    candidateFingerprints('x'.repeat(password.length), salt, [{ length: password.length, hint: 'zz' }]),
  ).toEqual([])
  expect(candidateFingerprints(password, salt, [])).toEqual([])
})
