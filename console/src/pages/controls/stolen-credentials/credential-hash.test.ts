import { expect, test } from 'vitest'
import { withSha1 } from './credential-hash.ts'

const email = 'ada@example.com'

test('replaces a password by its SHA-1', async () => {
  expect(await withSha1({ email, password: 'password' })).toEqual({
    email,
    passwordSha1: '5baa61e4c9b93f3f0682250b6cf8331b7ee68fd8',
  })
})

test('keeps a given SHA-1', async () => {
  expect(await withSha1({ email, passwordSha1: 'AB'.repeat(20) })).toEqual({
    email,
    passwordSha1: 'AB'.repeat(20),
  })
})
