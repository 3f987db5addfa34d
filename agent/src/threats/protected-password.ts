import { registrableHost } from '@muster/contract/catalog/catalog'
import { takesAccountsOf } from '@muster/contract/password-facts/account-systems'
import { trimmedUrl } from '../lib/trimmed-url.ts'
import { historyWithSalt } from '../logins/complete-login.ts'
import type { LoginDeps } from '../logins/login-deps.ts'
import type { ThreatVerdict, TypingKit } from '../logins/observation-messages.ts'
import { protectedAppOf, protectedHints, type TypedOn } from '../password/password-history.ts'
import { modeFor } from './threat-mode.ts'

async function typedOn(deps: LoginDeps, url: string): Promise<TypedOn> {
  const { hostname } = new URL(url)
  const catalog = await deps.catalog()
  return {
    appType: catalog.byHost(hostname)?.appType ?? null,
    site: registrableHost(hostname) ?? hostname,
    takesAccountsOf: (app) => takesAccountsOf(catalog, hostname, app),
  }
}

/** Returns the data with which a page recognizes protected passwords; null while observation is off. */
export async function typingKit(deps: LoginDeps, url: string): Promise<TypingKit | null> {
  const policy = await deps.policy()
  if (!policy) return null
  const history = await historyWithSalt()
  const apps = policy.protectedAppTypes.filter((app) => modeFor(policy.protectedPasswords, app) !== 'OFF')
  return { salt: history.salt, hints: protectedHints(history, await typedOn(deps, url), apps) }
}

/** Returns the reaction to a password typed on a page; null if it is not protected or belongs there. */
export async function judgeTypedPassword(
  deps: LoginDeps,
  url: string,
  fingerprint: string,
): Promise<ThreatVerdict | null> {
  const policy = await deps.policy()
  if (!policy) return null
  const page = await typedOn(deps, url)
  const appType = protectedAppOf(await historyWithSalt(), fingerprint, page, policy.protectedAppTypes)
  const mode = appType === null ? 'OFF' : modeFor(policy.protectedPasswords, appType)
  if (appType === null || mode === 'OFF') return null
  const appName = (await deps.catalog()).byType(appType)?.friendlyName ?? null
  return { threat: 'PROTECTED_PASSWORD_ENTERED', mode, appType, appName }
}

/**
 * Reports a protected password that was submitted before the page recognized it. The page may be gone, so nothing was
 * shown there, whatever the mode. If the page reports it later, the server merges both into one detection.
 */
export async function reportSubmittedPassword(
  deps: LoginDeps,
  pageUrl: string,
  fingerprint: string,
): Promise<void> {
  const verdict = await judgeTypedPassword(deps, pageUrl, fingerprint)
  const url = trimmedUrl(pageUrl)
  if (!verdict || url === null) return
  await deps.report({
    kind: 'PAGE_THREAT',
    threat: verdict.threat,
    url,
    referrerUrl: null,
    mode: verdict.mode,
    response: 'MONITORED',
    passwordEntered: true,
    appType: verdict.appType,
  })
}
