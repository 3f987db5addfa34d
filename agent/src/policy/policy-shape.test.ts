import { expect, test } from 'vitest'
import { readPolicy } from './policy-shape.ts'

const policy = {
  version: '3-abc',
  heartbeatSeconds: 60,
  organizationName: 'Example Ltd',
  contact: 'security@example.com',
  blockedUrls: [{ id: 'a', url: 'example.net' }],
  protectedPasswords: { mode: 'WARN', byApp: { OKTA: 'BLOCK' } },
  protectedAppTypes: ['OKTA'],
  clonedLoginPages: { mode: 'MONITOR', byApp: {} },
  phishingTools: { mode: 'MONITOR', byApp: {} },
  maliciousCopyPaste: { mode: 'OFF', byApp: {} },
  banners: [],
  blockedExtensionIds: ['x'],
  badExtensions: [],
  restrictedWords: ['example'],
  leakedLookup: true,
  stolenCredentials: [],
  workIdentities: ['@example.com'],
  products: [],
}

test('a valid policy is read unchanged', () => {
  expect(readPolicy(policy)).toEqual(policy)
})

test('missing and malformed members get harmless defaults', () => {
  expect(
    readPolicy({ version: '1', blockedUrls: 'all', protectedPasswords: 'WARN', leakedLookup: 1 }),
  ).toEqual({
    ...policy,
    version: '1',
    heartbeatSeconds: 300,
    organizationName: '',
    contact: null,
    blockedUrls: [],
    protectedPasswords: { mode: 'OFF', byApp: {} },
    protectedAppTypes: [],
    clonedLoginPages: { mode: 'OFF', byApp: {} },
    phishingTools: { mode: 'OFF', byApp: {} },
    blockedExtensionIds: [],
    restrictedWords: [],
    leakedLookup: false,
    workIdentities: [],
  })
})

test('unknown members are ignored', () => {
  expect(readPolicy({ ...policy, future: true })).toEqual(policy)
})

test.each([
  [0, 5],
  [5, 5],
  [300, 300],
  [1e9, 86_400],
  [Number.NaN, 300],
  ['300', 300],
])('a heartbeat interval of %j seconds is limited to %i', (given, kept) => {
  expect(readPolicy({ ...policy, heartbeatSeconds: given })?.heartbeatSeconds).toBe(kept)
})

test.each([null, undefined, 'text', [], {}, { version: '' }, { version: 3 }])(
  '%j is not a policy',
  (body) => {
    expect(readPolicy(body)).toBeNull()
  },
)
