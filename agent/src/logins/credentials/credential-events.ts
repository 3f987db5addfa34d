import { loginPageUrl } from '../../lib/login-url.ts'
import type { FromFrame } from '../attempts/track-attempts.ts'
import { completeFederatedLogin } from '../complete-login.ts'
import type { FederatedIdentity } from '../federation/federated-text.ts'
import type { LoginDeps } from '../login-deps.ts'
import { onStandalonePasskey } from '../passwordless/track-passwordless.ts'
import { changeTab } from '../tab-logins.ts'
import { applyAssertion } from './apply-assertion.ts'

/**
 * Handles a FedCM credential that the browser gave to a page. The browser identifies the frame, and thus the app. A
 * provider's own pages are ignored.
 *
 * @returns true if it was a login
 */
export async function onFederatedIdentity(
  deps: LoginDeps,
  { url }: FromFrame,
  { providerHost, email }: FederatedIdentity,
): Promise<boolean> {
  const catalog = await deps.catalog()
  const provider = catalog.providerByHost(providerHost)
  const loginUrl = loginPageUrl(url)
  if (!provider || !loginUrl) return false
  const { hostname } = new URL(loginUrl)
  if (catalog.byHost(hostname)?.appType === provider || catalog.providerByHost(hostname) === provider)
    return false
  const login = { loginUrl, loginType: 'FEDCM_LOGIN', provider, identity: email, hint: null } as const
  await completeFederatedLogin(deps, login)
  return true
}

/** Handles the use of a passkey or security key in a frame. */
export async function onAssertion(deps: LoginDeps, from: FromFrame): Promise<boolean> {
  const { tabId, url } = from
  const { hostname } = new URL(url)
  const provider = (await deps.catalog()).providerByHost(hostname)
  const { attempt } = await changeTab(tabId, (tab) => applyAssertion(tab, hostname, provider))
  if (!attempt) await onStandalonePasskey(deps, from)
  return true
}
