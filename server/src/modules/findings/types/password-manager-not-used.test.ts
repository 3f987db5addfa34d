import { defaultControls } from '@muster/contract/records/controls'
import { expect, test } from 'vitest'
import type { TypedLogin } from './finding-type.ts'
import { latestTypedLogins, passwordManagerNotUsed } from './password-manager-not-used.ts'

const thresholds = { ...defaultControls.thresholds, typedLogins: 4 }

/** Logins one second apart: `T` typed by hand, `m` filled in by a password manager. */
const logins = (kinds: string): TypedLogin[] => [...kinds].map((kind, index) => [index, kind === 'T'])

test.each(['', 'T', 'TTT', 'm', 'mTTT'])(
  'gives no verdict after %j, because earlier logins may count',
  (kinds) => {
    expect(passwordManagerNotUsed.decide({ logins: logins(kinds), thresholds })).toBeUndefined()
  },
)

test.each([
  { kinds: 'mm', open: false },
  { kinds: 'TmTm', open: false },
  { kinds: 'TTTT', open: true },
  { kinds: 'TTTTT', open: true },
  { kinds: 'mTTTT', open: true },
  { kinds: 'TmTmT', open: false },
  { kinds: 'TTTTm', open: true },
  { kinds: 'TTTTmm', open: false },
  { kinds: 'mmmmmTTTT', open: true },
])('after $kinds: open $open', ({ kinds, open }) => {
  expect(passwordManagerNotUsed.decide({ logins: latestTypedLogins(logins(kinds)), thresholds })).toEqual({
    open,
  })
})

test('sorts a login that is reported late by its time', () => {
  const history = logins('mTTTT').map(([at, typed]): TypedLogin => [at * 10, typed])
  expect(latestTypedLogins([...history, [5, false]])).toEqual([[5, false], ...history.slice(1)])
  expect(latestTypedLogins([...history, [-1, true]])).toEqual(history)
})
