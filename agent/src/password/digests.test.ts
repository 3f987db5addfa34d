import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { fc } from '../../../test/support/fast-check.ts'
import { fingerprintOf } from './fingerprint.ts'
import { sha1 } from './sha1.ts'
import { sha256 } from './sha256.ts'

const reference = (algorithm: string, text: string) =>
  createHash(algorithm).update(text, 'utf8').digest('hex')

test('hashes equal those of the platform, also at block boundaries', () => {
  for (let length = 0; length < 200; length++) {
    const text = 'p'.repeat(length)
    expect(sha1(text)).toBe(reference('sha1', text).toUpperCase())
    expect(sha256(text)).toBe(reference('sha256', text))
  }
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      expect(sha1(text)).toBe(reference('sha1', text).toUpperCase())
      expect(sha256(text)).toBe(reference('sha256', text))
    }),
  )
})

test('a fingerprint is the first 8 hexadecimal characters of SHA-256 of salt and password', () => {
  const salt = '6f1d9c1e-0b6f-4c39-9b55-3f6f2f0f8a11'
  expect(fingerprintOf(salt, 'pâssword')).toBe(reference('sha256', `${salt}pâssword`).slice(0, 8))
})
