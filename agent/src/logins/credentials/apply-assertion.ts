import { withIdentity } from '../federation/federation.ts'
import { sharesSignIn } from '../federation/login-vendors.ts'
import type { TabLogins } from '../tab-logins.ts'

/**
 * Returns the state of a tab after a passkey or security key was used in one of its frames. After a password, the
 * assertion is the second factor of that login. At an identity provider, it proves the identity for the sign-in
 * elsewhere. On its own it is a separate login (`track-passwordless.ts`) and changes nothing here.
 *
 * @param host host of the frame
 * @param provider identity provider that the host belongs to, if any
 */
export function applyAssertion(tab: TabLogins, host: string, provider: string | undefined): TabLogins {
  const { attempt, flows } = tab
  const isSecondStep = attempt !== null && sharesSignIn(new URL(attempt.url).hostname, host)
  return {
    ...tab,
    attempt: isSecondStep
      ? { ...attempt, secondStep: { method: 'WEBAUTHN', needsCode: false, confirmsAddress: false } }
      : attempt,
    flows: provider ? withIdentity(flows, provider, { identity: null, isProven: true }) : flows,
  }
}
