import { withIdentity } from '../federation/federation.ts'
import { sharesSignIn } from '../federation/login-vendors.ts'
import type { TabLogins } from '../tab-logins.ts'

/**
 * What is going on in a tab after a passkey or security key was used in one of its frames. After a password it is the
 * second step of that login; at a provider it proves who signs in elsewhere. Alone it is a login of its own
 * (`track-passwordless.ts`), which changes nothing here.
 *
 * @param host of the frame
 * @param provider whose sign-in the host shows, if it does
 */
export function afterAssertion(tab: TabLogins, host: string, provider: string | undefined): TabLogins {
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
