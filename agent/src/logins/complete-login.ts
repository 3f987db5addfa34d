import type { LoginType, PasswordFacts } from '@muster/contract/agent/agent-event'
import { registrableHost } from '@muster/contract/catalog/catalog'
import { accountSystemOf } from '@muster/contract/password-facts/account-systems'
import { appendsCode } from '@muster/contract/password-facts/password-sites'
import { loginPageUrl } from '../lib/login-url.ts'
import {
  emptyHistory,
  isReused,
  type PasswordHistory,
  withSalt,
  withUse,
} from '../password/password-history.ts'
import { isInRange, rangePrefixOf } from '../password/range-match.ts'
import { stolenMatches } from '../password/stolen-match.ts'
import { stored } from '../state/stored.ts'
import { type PendingAttempt, usedFactor } from './attempts/attempt.ts'
import type { FederatedLogin } from './federation/federation.ts'
import type { LoginDeps } from './login-deps.ts'
import type { AttemptPassword } from './login-messages.ts'
import { providerIdentities } from './tab-logins.ts'
import { reportVisit } from './visits.ts'

export const passwordHistory = stored<PasswordHistory>('password.book', emptyHistory)
export const newUuid = (): string => crypto.randomUUID()

/** Returns the password history, including the salt of this installation. */
export const historyWithSalt = (): Promise<PasswordHistory> =>
  passwordHistory.change((history) => withSalt(history, newUuid))

/** Results of password checks that need the server or take long. */
export interface SlowChecks {
  readonly leaked: boolean | null
  /** Null if not checked. */
  readonly stolenIds: readonly string[] | null
}

export const unchecked: SlowChecks = { leaked: null, stolenIds: null }

/** Checks a password against leaked and stolen passwords. Uses its SHA-1, which is not kept. */
export async function runSlowChecks(deps: LoginDeps, password: AttemptPassword): Promise<SlowChecks> {
  const policy = await deps.policy()
  if (!policy) return unchecked
  const { sha1 } = password
  if (sha1 === null)
    return policy.stolenCredentials.length === 0 ? { ...unchecked, stolenIds: [] } : unchecked
  const [lines, stolenIds] = await Promise.all([
    policy.leakedLookup ? deps.range(rangePrefixOf(sha1)) : null,
    stolenMatches(sha1, policy.stolenCredentials),
  ])
  return { leaked: isInRange(sha1, lines), stolenIds }
}

/**
 * Returns the app's identifier in this browser: its catalog token, or the registrable domain for apps outside the
 * catalog.
 */
async function appOf(deps: LoginDeps, host: string): Promise<string> {
  return (await deps.catalog()).byHost(host)?.appType ?? registrableHost(host) ?? host
}

/**
 * Adds the password of a login to the history.
 *
 * @returns what is known about the password; null on sites where it may end with a one-time code, which makes every
 * check meaningless
 */
async function remember(
  deps: LoginDeps,
  attempt: PendingAttempt,
  account: string,
): Promise<PasswordFacts | null> {
  const { hostname } = new URL(attempt.url)
  if (appendsCode(hostname)) return null
  const app = await appOf(deps, hostname)
  const policy = await deps.policy()
  const { fingerprint, length, weakReasons, manuallyTyped } = attempt.password
  const history = await passwordHistory.change((known) =>
    withUse(
      withSalt(known, newUuid),
      {
        fingerprint,
        length,
        app,
        account: account.toLowerCase(),
        site: registrableHost(hostname) ?? hostname,
        isProtected: policy?.protectedAppTypes.includes(app) ?? false,
        seconds: Math.floor(Date.now() / 1000),
      },
      newUuid,
    ),
  )
  const entry = history.entries[fingerprint]
  const catalog = await deps.catalog()
  return {
    passwordId: entry?.passwordId ?? newUuid(),
    manuallyTyped,
    weakReasons: [...weakReasons],
    leaked: null,
    reused: entry ? isReused(entry, (used) => accountSystemOf(catalog, used) ?? used) : false,
    stolenIds: null,
  }
}

/** Reports a successful login with a password. */
export async function completePasswordLogin(
  deps: LoginDeps,
  attempt: PendingAttempt,
  identity: string,
  checks: SlowChecks,
): Promise<void> {
  const facts = await remember(deps, attempt, identity)
  const isFilledByOkta = attempt.isLaunched && attempt.password.manuallyTyped !== true
  const { hostname } = new URL(attempt.url)
  const provider = (await deps.catalog()).providerByHost(hostname)
  if (provider) await providerIdentities.change((known) => ({ ...known, [provider]: identity }))
  await deps.report({
    kind: 'LOGIN',
    loginUrl: loginPageUrl(attempt.url) ?? attempt.url,
    email: identity,
    loginType: isFilledByOkta ? 'OKTA_SWA_LOGIN' : 'PASSWORD_LOGIN',
    identityProvider: isFilledByOkta ? 'OKTA' : null,
    password: facts && {
      ...facts,
      leaked: checks.leaked,
      stolenIds: checks.stolenIds && [...checks.stolenIds],
    },
    mfa: usedFactor(attempt),
  })
}

/**
 * Reports a sign-in with an identity provider. The identity is, in this order: the one seen in the flow, the last one
 * that signed in at the provider in this browser, the one that the app asked for, the browser profile. If none is
 * known, only the visit of the app is reported.
 */
export async function completeFederatedLogin(deps: LoginDeps, login: FederatedLogin): Promise<void> {
  const known = await providerIdentities.read()
  const identity = login.identity ?? known[login.provider] ?? login.hint ?? (await deps.profileEmail())
  if (!identity) return reportVisit(deps, new URL(login.loginUrl).hostname)
  // An identity from FedCM is stated by the page alone, so it must not become the provider's known identity.
  if (login.identity && login.loginType !== 'FEDCM_LOGIN') {
    await providerIdentities.change((all) => ({ ...all, [login.provider]: identity }))
  }
  await reportFederated(deps, login.loginUrl, identity, login.loginType, login.provider)
}

const reportFederated = (
  deps: LoginDeps,
  loginUrl: string,
  email: string,
  loginType: LoginType,
  identityProvider: string,
) => deps.report({ kind: 'LOGIN', loginUrl, email, loginType, identityProvider, password: null, mfa: null })
