import { type ConsoleLoginMethod, consoleLoginMethods } from '@muster/contract/console/login-methods'
import type { LoginMethods } from '@muster/contract/records/account'
import { severities } from '@muster/contract/records/detection'
import { foldName } from '../lib/fold-case.ts'
import { firstCharacters } from '../lib/text.ts'

/** Columns that are computed from a record. The console's lists filter and sort by them. */

type PublicRecord = Readonly<Record<string, unknown>>

/** Maximum length of a name in its index, the same as the API allows for a first name. */
const sortNameMaximum = 256

const sortNameOf = (name: string): string => firstCharacters(foldName(name), sortNameMaximum)

/**
 * Returns the sort name of an employee: first and last name, or the address if there are none. The address follows on a
 * second line, so a search by name or address reads one narrow index.
 */
export const personSortName = ({ firstName, lastName, email }: PublicRecord): string =>
  `${sortNameOf([firstName, lastName].filter(Boolean).join(' ') || String(email))}\n${sortNameOf(String(email))}`

/** Returns the sort name of an app. */
export const appSortName = ({ friendlyName }: PublicRecord): string => sortNameOf(String(friendlyName))

/** Values of the column `mfa` of accounts. */
export const mfaStates = { UNKNOWN: 0, REGISTERED: 1, NOT_REGISTERED: 2 } as const

export function mfaState({ mfaRegistered }: PublicRecord): number {
  if (typeof mfaRegistered !== 'boolean') return mfaStates.UNKNOWN
  return mfaRegistered ? mfaStates.REGISTERED : mfaStates.NOT_REGISTERED
}

/** Returns the rank of a severity. The lowest severity has rank 1. */
export const severityRank = ({ severity }: PublicRecord): number =>
  (severities as readonly unknown[]).indexOf(severity) + 1

const isSeen: Readonly<Record<ConsoleLoginMethod, (methods: LoginMethods) => unknown>> = {
  PASSWORD: ({ passwordLogin }) => passwordLogin,
  OIDC: ({ oidcLogin }) => oidcLogin,
  SAML: ({ samlLogin }) => samlLogin,
  OKTA_SWA: ({ oktaSwaLogin }) => oktaSwaLogin,
  VENDOR_SSO: ({ vendorSsoLogin }) => vendorSsoLogin,
  FEDCM: ({ fedCmLogin }) => fedCmLogin,
}

const bitOf = (method: ConsoleLoginMethod): number => 1 << consoleLoginMethods.indexOf(method)

/** Returns the login methods of an account as a bit mask. */
export function loginMethodBits({ loginMethods }: PublicRecord): number {
  const methods = loginMethods as LoginMethods
  return consoleLoginMethods
    .filter((method) => isSeen[method](methods))
    .reduce((bits, method) => bits | bitOf(method), 0)
}

/** Returns all bit masks that include at least one of the methods. */
export function bitsWithAny(methods: readonly ConsoleLoginMethod[]): number[] {
  const mask = methods.reduce((bits, method) => bits | bitOf(method), 0)
  return Array.from({ length: 1 << consoleLoginMethods.length }, (_, bits) => bits).filter(
    (bits) => (bits & mask) !== 0,
  )
}
