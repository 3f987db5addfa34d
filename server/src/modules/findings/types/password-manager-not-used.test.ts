import { expect, test } from 'vitest'
import { lastTypedLogins, passwordManagerNotUsed, type TypedLogin } from './password-manager-not-used.ts'

/** Logins one second after the other: `T` typed by hand, `m` from a password manager. */
const logins = (kinds: string): TypedLogin[] => [...kinds].map((kind, at) => [at, kind === 'T'])

test.each(['', 'T', 'TTT', 'm', 'mTTT'])(
  'after %j nothing is known yet: what was before may count',
  (kinds) => {
    expect(passwordManagerNotUsed(logins(kinds), 4)).toBeUndefined()
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
  expect(passwordManagerNotUsed(lastTypedLogins(logins(kinds)), 4)).toEqual({ open })
})

test('a login that is reported late takes its place by its time', () => {
  const history = logins('mTTTT').map(([at, typed]): TypedLogin => [at * 10, typed])
  expect(lastTypedLogins([...history, [5, false]])).toEqual([[5, false], ...history.slice(1)])
  expect(lastTypedLogins([...history, [-1, true]])).toEqual(history)
})
