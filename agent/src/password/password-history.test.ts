import { expect, test } from 'vitest'
import { fingerprintOf } from './fingerprint.ts'
import {
  emptyHistory,
  isReused,
  type PasswordHistory,
  protectedAppOf,
  protectedHints,
  type UsedPassword,
  withSalt,
  withUse,
} from './password-history.ts'

let made = 0
const newUuid = () => `00000000-0000-4000-8000-${String(++made).padStart(12, '0')}`
const salt = '6f1d9c1e-0b6f-4c39-9b55-3f6f2f0f8a11'
const history: PasswordHistory = { ...emptyHistory, salt }
const takesAccountsOf = () => false
const okta = { appType: 'OKTA', site: 'okta.com', takesAccountsOf }
const evil = { appType: null, site: 'evil.example', takesAccountsOf }

const used = (password: string, app: string, changes: Partial<UsedPassword> = {}): UsedPassword => ({
  fingerprint: fingerprintOf(salt, password),
  length: password.length,
  app,
  account: 'ada@example.com',
  site: `${app.toLowerCase()}.com`,
  isProtected: app === 'OKTA',
  seconds: 1,
  ...changes,
})
const entryOf = (of: PasswordHistory, password: string) => of.entries[fingerprintOf(salt, password)]

test('the salt is created once', () => {
  const first = withSalt(emptyHistory, newUuid)
  expect(first.salt).toMatch(/^[0-9a-f-]{36}$/)
  expect(withSalt(first, newUuid)).toBe(first)
})

test('equal passwords share one ID, different ones do not', () => {
  const both = withUse(withUse(history, used('one', 'OKTA'), newUuid), used('one', 'ZOOM'), newUuid)
  const three = withUse(both, used('two', 'ZOOM'), newUuid)
  expect(Object.keys(three.entries)).toHaveLength(2)
  expect(entryOf(three, 'one')?.passwordId).not.toBe(entryOf(three, 'two')?.passwordId)
  expect(entryOf(three, 'one')?.passwordId).toBe(entryOf(both, 'one')?.passwordId)
})

test('a password is reused on two apps, not on two accounts or twice on one', () => {
  const once = withUse(history, used('one', 'OKTA'), newUuid)
  const again = withUse(once, used('one', 'OKTA', { account: 'bob@example.com' }), newUuid)
  const elsewhere = withUse(again, used('one', 'ZOOM'), newUuid)
  const reusedIn = (of: PasswordHistory, placeOf = (app: string) => app) =>
    Object.values(of.entries).map((entry) => isReused(entry, placeOf))
  expect([once, again, elsewhere].map((of) => reusedIn(of))).toEqual([[false], [false], [true]])
  expect(reusedIn(elsewhere, () => 'one place')).toEqual([false])
})

test('the length of a password is kept only if it is protected', () => {
  expect(entryOf(withUse(history, used('one', 'ZOOM'), newUuid), 'one')?.length).toBeNull()
  const protectedToo = withUse(withUse(history, used('one', 'OKTA'), newUuid), used('one', 'ZOOM'), newUuid)
  expect(entryOf(protectedToo, 'one')?.length).toBe(3)
})

test('the history does not contain the password itself', () => {
  const kept = JSON.stringify(withUse(history, used('Hunter-Secret-7', 'OKTA'), newUuid))
  expect(kept.toLowerCase()).not.toContain('hunter')
})

test('a protected password is recognized on any other site, not where it belongs', () => {
  const kept = withUse(history, used('one', 'OKTA'), newUuid)
  const fingerprint = fingerprintOf(salt, 'one')
  expect(protectedAppOf(kept, fingerprint, evil, ['OKTA'])).toBe('OKTA')
  expect(protectedHints(kept, evil, ['OKTA'])).toEqual([{ length: 3, hint: fingerprint.slice(0, 2) }])
  const where = [
    okta,
    { ...okta, site: 'okta-emea.com' },
    { ...okta, appType: null },
    { ...evil, takesAccountsOf: (app: string) => app === 'OKTA' },
  ]
  for (const page of where) {
    expect(protectedAppOf(kept, fingerprint, page, ['OKTA'])).toBeNull()
    expect(protectedHints(kept, page, ['OKTA'])).toEqual([])
  }
  expect(protectedAppOf(kept, fingerprint, evil, ['ZOOM'])).toBeNull()
  expect(protectedAppOf(kept, 'ffffffff', evil, ['OKTA'])).toBeNull()
})

test('a full history drops the least recently used password', () => {
  const entry = { passwordId: newUuid(), length: null, uses: [] }
  const names = Array.from({ length: 2_000 }, (_, n) => n.toString(16).padStart(8, '0'))
  const full = {
    salt,
    entries: Object.fromEntries(names.map((name, n) => [name, { ...entry, lastUsedSeconds: 100 + (n ^ 1) }])),
  }
  const after = withUse(full, used('new', 'ZOOM', { seconds: 5_000 }), newUuid)
  expect(Object.keys(after.entries)).toHaveLength(2_000)
  expect(after.entries['00000001']).toBeUndefined()
  expect(entryOf(after, 'new')).toBeDefined()
})
