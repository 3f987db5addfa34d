import { nothingObserved, type PendingAttempt } from './attempt.ts'

/** Time at which the attempts of tests start. */
export const startedMs = 1_000_000

/** Returns a pending attempt for tests: a password was submitted, and nothing has been seen since. */
export const pendingAttempt = (more: Partial<PendingAttempt> = {}): PendingAttempt => ({
  tabId: 1,
  frameId: 0,
  url: 'https://app.example.com/login',
  page: '00000000',
  identity: 'ada@example.com',
  password: { fingerprint: '01234567', length: 9, sha1: null, weakReasons: [], manuallyTyped: true },
  isNewPassword: false,
  isActivated: true,
  isToldOf: false,
  pressedMs: startedMs,
  form: { signature: '00000001', purpose: 'SIGN_IN' },
  code: null,
  before: { messages: [], signOut: null, accountMenu: false, showsIdentity: false, heading: '00000002' },
  startedMs,
  ...nothingObserved,
  secondStep: null,
  codeEntered: false,
  opener: null,
  isLaunched: false,
  ...more,
})
