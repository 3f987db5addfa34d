import type { LoginType, PasswordFacts } from '@muster/contract/agent-event'
import { registrableHost } from '@muster/contract/catalog/catalog'
import { accountSystemOf } from '@muster/contract/password-facts/account-systems'
import { appendsCode } from '@muster/contract/password-facts/password-sites'
import { loginPageUrl } from '../lib/login-url.ts'
import { emptyBook, isReused, type PasswordBook, withSalt, withUse } from '../password/password-history.ts'
import { isInRange, rangePrefixOf } from '../password/range-match.ts'
import { stolenMatches } from '../password/stolen-match.ts'
import { stored } from '../state/stored.ts'
import { type PendingAttempt, usedFactor } from './attempts/attempt.ts'
import type { FederatedLogin } from './federation/federation.ts'
import type { LoginDeps } from './login-deps.ts'
import type { AttemptPassword } from './login-messages.ts'
import { providerIdentities } from './tab-logins.ts'
import { reportVisit } from './visits.ts'

export const passwordBook = stored<PasswordBook>('password.book', emptyBook)
export const newUuid = (): string => crypto.randomUUID()

/** The book, with the salt of this installation. */
export const bookWithSalt = (): Promise<PasswordBook> =>
  passwordBook.change((book) => withSalt(book, newUuid))

/** What the checks that need the server or time say of a password. */
export interface SlowChecks {
  readonly leaked: boolean | null
  /** Null if that was not checked. */
  readonly stolenIds: readonly string[] | null
}

export const unchecked: SlowChecks = { leaked: null, stolenIds: null }

/** Looks a password up among leaked and stolen ones, by its SHA-1, which is not kept. */
export async function checkSlowly(deps: LoginDeps, password: AttemptPassword): Promise<SlowChecks> {
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

/** By what an app is known in this browser: its token, or the registrable domain outside the catalog. */
async function appOf(deps: LoginDeps, host: string): Promise<string> {
  return (await deps.catalog()).byHost(host)?.appType ?? registrableHost(host) ?? host
}

/**
 * Enters the password of a login into the book.
 *
 * @returns what is known of it; null where it may end with a one-time code, so that nothing can be said of it
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
  const book = await passwordBook.change((known) =>
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
  const entry = book.entries[fingerprint]
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

/** Reports a login by password that succeeded. */
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
 * Reports a sign-in by a provider. Who signed in is what was seen in the flow, else who last signed in at the
 * provider in this browser, else whom the app asked for, else whose browser profile it is; where none is known the app
 * alone is reported.
 */
export async function completeFederatedLogin(deps: LoginDeps, login: FederatedLogin): Promise<void> {
  const known = await providerIdentities.read()
  const identity = login.identity ?? known[login.provider] ?? login.hint ?? (await deps.profileEmail())
  if (!identity) return reportVisit(deps, new URL(login.loginUrl).hostname)
  // What a page got by FedCM tells of that page alone: it is the page that names the address.
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
