import { registrableHost } from '@muster/contract/catalogue/catalogue'
import { trimmedUrl } from '../lib/trimmed-url.ts'
import { completeFederatedLogin } from './complete-login.ts'
import type { FederatedIdentity } from './federated-text.ts'
import { withIdentity } from './federation.ts'
import type { FromFrame } from './follow-attempts.ts'
import type { LoginDeps } from './login-deps.ts'
import { changeTab } from './login-memory.ts'
import { vendorOf } from './login-vendors.ts'

/**
 * The browser gave a page the word of a provider, by FedCM. The app is the one whose frame it is, by the browser's
 * word; the provider's own pages sign nobody in elsewhere.
 *
 * @returns whether it was a login
 */
export async function onFederatedIdentity(
  deps: LoginDeps,
  { url }: FromFrame,
  { providerHost, email }: FederatedIdentity,
): Promise<boolean> {
  const catalogue = await deps.catalogue()
  const provider = catalogue.providerByHost(providerHost)
  const loginUrl = trimmedUrl(url)
  if (!provider || !loginUrl) return false
  const { hostname } = new URL(loginUrl)
  if (catalogue.byHost(hostname)?.appType === provider || catalogue.providerByHost(hostname) === provider)
    return false
  await completeFederatedLogin(deps, { loginUrl, loginType: 'FEDCM_LOGIN', provider, identity: email })
  return true
}

/** Whether two hosts share a sign-in, so that a passkey used on one counts for a password entered on the other. */
const sharesSignIn = (one: string, other: string): boolean =>
  registrableHost(one) === registrableHost(other) ||
  (vendorOf(one) !== undefined && vendorOf(one) === vendorOf(other))

/**
 * A passkey or security key was used. After a password it is the second step of that login; at a provider it proves
 * who signs in elsewhere. Alone it is a login that the contract has no name for (domain contract, section 2), and
 * changes nothing.
 */
export async function onAssertion(deps: LoginDeps, { tabId, url }: FromFrame): Promise<boolean> {
  const { hostname } = new URL(url)
  const provider = (await deps.catalogue()).providerByHost(hostname)
  await changeTab(tabId, ({ attempt, flows, ...tab }) => ({
    ...tab,
    attempt:
      attempt && sharesSignIn(new URL(attempt.url).hostname, hostname)
        ? { ...attempt, secondStep: { method: 'WEBAUTHN', needsCode: false } }
        : attempt,
    flows: provider ? withIdentity(flows, provider, { identity: null, isProven: true }) : flows,
  }))
  return true
}
