import { expect, test } from 'vitest'
import { noLoginMethods } from '../../ingest/projection/login.rules.ts'
import { mfaNotRegistered } from './mfa-not-registered.ts'

test.each([
  { passwordLogin: true, mfaRegistered: false, open: true },
  { passwordLogin: true, mfaRegistered: true, open: false },
  { passwordLogin: true, mfaRegistered: null, open: false },
  { passwordLogin: false, mfaRegistered: false, open: false },
])(
  'by password $passwordLogin, registered $mfaRegistered: open $open',
  ({ passwordLogin, mfaRegistered, open }) => {
    const loginMethods = { ...noLoginMethods, passwordLogin }
    expect(mfaNotRegistered({ loginMethods, mfaRegistered })).toEqual({ open })
  },
)
