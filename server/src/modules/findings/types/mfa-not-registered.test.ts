import { defaultControls } from '@muster/contract/records/controls'
import { expect, test } from 'vitest'
import { noLoginMethods } from '../../ingest/projection/login.rules.ts'
import { mfaNotRegistered } from './mfa-not-registered.ts'

test.each([
  { passwordLogin: true, mfaRegistered: false, open: true },
  { passwordLogin: true, mfaRegistered: true, open: false },
  { passwordLogin: true, mfaRegistered: null, open: false },
  { passwordLogin: false, mfaRegistered: false, open: false },
])(
  'password login $passwordLogin, MFA registered $mfaRegistered: open $open',
  ({ passwordLogin, mfaRegistered, open }) => {
    const loginMethods = { ...noLoginMethods, passwordLogin }
    const account = { loginMethods, mfaRegistered, lastUsedTimestamp: null, creationTimestamp: 0 }
    const { thresholds } = defaultControls
    expect(mfaNotRegistered.decide({ account, uses: [], nowSeconds: 0, thresholds })).toEqual({ open })
  },
)
