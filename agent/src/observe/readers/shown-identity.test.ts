import { expect, test } from 'vitest'
import { shortHash } from '../../lib/short-hash.ts'
import { showsIdentity } from './shown-identity.ts'

const ada = 'ada@acme-works.example'

test.each([
  ['signed in as ada@acme-works.example.', true],
  ['welcome back, ada@acme-works.example! you have no messages', true],
  ['account (ada@acme-works.example)', true],
  ['ada', false],
  ['write to ada@acme-works.example.com', false],
  ['', false],
])('“%s” shows the identity: %s', (text, isShown) => {
  expect(showsIdentity(text, shortHash(ada))).toBe(isShown)
})

test('a name of two letters does not match', () => {
  expect(showsIdentity('log in as al today', shortHash('al'))).toBe(false)
})
