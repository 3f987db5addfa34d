import { expect, test } from 'vitest'
import { fc } from '../../../../../test/support/fast-check.ts'
import {
  decryptText,
  deriveKeys,
  encryptText,
  keyFingerprint,
  newMasterKey,
  parseMasterKey,
} from './secret.ts'

const master = Buffer.alloc(32, 7)

test('a master key always yields the same keys, all different', () => {
  const keys = Object.values(deriveKeys(master)).map((key) => key.export().toString('hex'))
  expect(keys).toEqual(
    Object.values(deriveKeys(Buffer.from(master))).map((key) => key.export().toString('hex')),
  )
  expect(new Set([...keys, master.toString('hex')]).size).toBe(keys.length + 1)
})

test('derived keys never change: tokens and addresses must outlive a release', () => {
  const keys = deriveKeys(master)
  expect(keyFingerprint(master)).toBe('e4419285cb281d93')
  expect(keys.pagingToken.export().toString('hex', 0, 8)).toBe('aac62965ff12ff9d')
})

test('master keys have different fingerprints', () => {
  expect(keyFingerprint(newMasterKey())).not.toBe(keyFingerprint(newMasterKey()))
})

test('a master key of the wrong length is refused', () => {
  expect(() => deriveKeys(Buffer.alloc(31))).toThrow('32 bytes, not 31')
})

test.each(['hex', 'base64url', 'base64'] as const)('a master key written as %s is read', (encoding) => {
  const key = newMasterKey()
  expect(parseMasterKey(key.toString(encoding))).toEqual(key)
})

test.each(['', 'secret', 'ab'.repeat(31), 'zz'.repeat(32)])('%j is not a master key', (text) => {
  expect(parseMasterKey(text)).toBeUndefined()
})

test('any text can be decrypted, and is encrypted differently each time', () => {
  const { addressEncryption } = deriveKeys(master)
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, aad) => {
      const encrypted = encryptText(addressEncryption, text, aad)
      expect(encrypted).toMatch(/^[\w-]{38,}$/)
      expect(encryptText(addressEncryption, text, aad)).not.toBe(encrypted)
      expect(decryptText(addressEncryption, encrypted, aad)).toBe(text)
    }),
  )
})

test('an altered, truncated or moved text cannot be decrypted', () => {
  const { addressEncryption, credentialSalt } = deriveKeys(master)
  const encrypted = encryptText(addressEncryption, 'ada@example.com', 'org-1')
  const altered = Buffer.from(encrypted, 'base64url')
  for (let index = 0; index < altered.length; index += 1) {
    const changed = Buffer.from(altered)
    changed[index] = (altered[index] ?? 0) ^ 1
    expect(() => decryptText(addressEncryption, changed.toString('base64url'), 'org-1')).toThrow()
  }
  expect(() => decryptText(addressEncryption, encrypted.slice(0, 20), 'org-1')).toThrow('too short')
  expect(() => decryptText(addressEncryption, encrypted, 'org-2')).toThrow('another key or context')
  expect(() => decryptText(credentialSalt, encrypted, 'org-1')).toThrow()
})
