import type { LoginMethods } from '@muster/contract/account'
import { type ConsoleLoginMethod, consoleLoginMethods } from '@muster/contract/console/login-methods'
import { severities } from '@muster/contract/detection'
import { foldName } from '../lib/fold-case.ts'
import { firstCharacters } from '../lib/text.ts'

/** Values that follow from a record and that the console's lists are filtered or sorted by. */

type PublicRecord = Readonly<Record<string, unknown>>

/** Length of a name in its index: as much as the API allows for a first name. */
const sortNameMaximum = 256

const sortNameOf = (name: string): string => firstCharacters(foldName(name), sortNameMaximum)

/**
 * Returns the name of an employee as lists are sorted by it: first and last name, or the address without them. The address
 * follows on a line of its own, so that a search by name or address reads one narrow index.
 */
export const personSortName = ({ firstName, lastName, email }: PublicRecord): string =>
  `${sortNameOf([firstName, lastName].filter(Boolean).join(' ') || String(email))}\n${sortNameOf(String(email))}`

/** Returns the name of an app as lists are sorted by it. */
export const appSortName = ({ friendlyName }: PublicRecord): string => sortNameOf(String(friendlyName))

/** Values of the column `mfa` of accounts. */
export const mfaStates = { UNKNOWN: 0, REGISTERED: 1, NOT_REGISTERED: 2 } as const

export function mfaState({ mfaRegistered }: PublicRecord): number {
  if (typeof mfaRegistered !== 'boolean') return mfaStates.UNKNOWN
  return mfaRegistered ? mfaStates.REGISTERED : mfaStates.NOT_REGISTERED
}

/** Returns 1 for the mildest severity, and one more for each that is worse. */
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

/** Returns the login methods of an account as one number, a bit for each. */
export function loginMethodBits({ loginMethods }: PublicRecord): number {
  const methods = loginMethods as LoginMethods
  return consoleLoginMethods
    .filter((method) => isSeen[method](methods))
    .reduce((bits, method) => bits | bitOf(method), 0)
}

/** Returns every value of that column that has one of the methods. */
export function bitsWithAny(methods: readonly ConsoleLoginMethod[]): number[] {
  const wanted = methods.reduce((bits, method) => bits | bitOf(method), 0)
  return Array.from({ length: 1 << consoleLoginMethods.length }, (_, bits) => bits).filter(
    (bits) => (bits & wanted) !== 0,
  )
}
