import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { fc } from '../../../../../test/support/fast-check.ts'
import { hashApiKey, isWellFormedApiKey, newApiKey } from './api-key.ts'
import { encodeBase62 } from './base62.ts'

test('a new key has the form that the contract defines', () => {
  const { key, start, hash } = newApiKey()
  expect(key).toMatch(/^mstr_[0-9A-Za-z]{38}$/)
  expect(key.slice(-6)).toBe(encodeBase62(crc32(key.slice(5, 37)), 6))
  expect(start).toBe(key.slice(0, 9))
  expect(hash).toBe(createHash('sha256').update(key).digest('hex'))
  expect(isWellFormedApiKey(key)).toBe(true)
})

test('keys are unique', () => {
  expect(new Set(Array.from({ length: 1_000 }, () => newApiKey().hash)).size).toBe(1_000)
})

test('detects any single wrong character', () => {
  const { key } = newApiKey()
  const character = fc.constantFrom(...'0123456789ABCXYZabcxyz-_. é')
  fc.assert(
    fc.property(fc.nat(key.length - 1), character, (index, wrong) => {
      const typed = key.slice(0, index) + wrong + key.slice(index + 1)
      expect(isWellFormedApiKey(typed)).toBe(typed === key)
    }),
  )
})

test('rejects other texts', () => {
  const { key } = newApiKey()
  for (const text of ['', 'mstr_', key.slice(0, -1), `${key}0`, ` ${key}`, `${key}\n`, key.toUpperCase()]) {
    expect(isWellFormedApiKey(text)).toBe(false)
  }
  fc.assert(fc.property(fc.string(), (text) => !isWellFormedApiKey(text)))
})

test('the hash is SHA-256 in hexadecimal', () => {
  expect(hashApiKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
