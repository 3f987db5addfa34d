import { pbkdf2Sync, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { isInRange, rangePrefixOf } from './range-match.ts'
import { sha1 } from './sha1.ts'
import { stolenMatches } from './stolen-match.ts'

const stolen = (
  id: string,
  password: string,
  salt = randomBytes(16).toString('hex'),
  iterations = 100_000,
) => ({
  id,
  salt,
  iterations,
  hash: pbkdf2Sync(sha1(password), Buffer.from(salt, 'hex'), iterations, 16, 'sha256').toString('hex'),
})

test('a password matches only its own stolen credentials', async () => {
  const shared = randomBytes(16).toString('hex')
  const credentials = [
    stolen('mine', 'hunter2'),
    stolen('others', 'hunter3'),
    stolen('shared-mine', 'hunter2', shared),
    stolen('shared-others', 'hunter4', shared),
  ]
  expect(await stolenMatches(sha1('hunter2'), credentials)).toEqual(['mine', 'shared-mine'])
  expect(await stolenMatches(sha1('hunter5'), credentials)).toEqual([])
  expect(await stolenMatches(sha1('hunter5'), [])).toEqual([])
})

test('a policy with too many iterations is ignored', async () => {
  expect(await stolenMatches(sha1('a'), [{ ...stolen('x', 'a'), iterations: 1e12 }])).toEqual([])
})

test('a leaked password is found in its range, padding is ignored', () => {
  const hash = sha1('password')
  expect(rangePrefixOf(hash)).toBe('5BAA6')
  const suffix = hash.slice(5)
  expect(isInRange(hash, [`${suffix}:9545824\r`])).toBe(true)
  expect(isInRange(hash, [`${suffix.toLowerCase()}:1`])).toBe(true)
  expect(isInRange(hash, [`${suffix}:0`])).toBe(false)
  expect(isInRange(hash, [`${'0'.repeat(35)}:7`])).toBe(false)
  expect(isInRange(hash, null)).toBeNull()
})
