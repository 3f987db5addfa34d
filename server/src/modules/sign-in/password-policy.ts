import { createHash } from 'node:crypto'
import { invalidRequest } from '@muster/contract/api/errors'
import { passwordWeakness } from './password-strength.rules.ts'

/**
 * Returns the lines `SUFFIX:COUNT` of leaked passwords whose SHA-1 starts with these five digits; undefined if
 * unavailable.
 */
export type LeakedRange = (prefix: string) => Promise<string | undefined>

/** Number of common passwords that are refused. */
const commonWords = 10_000
let common: ReadonlySet<string> | undefined

/** Loads the list when the first password is set. */
async function commonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  common ??= new Set((dictionary['passwords-common'] as readonly string[]).slice(0, commonWords))
  return common
}

/** Looks up a password in the leak database (k-anonymity: only the first five hash digits leave the server). */
async function wasLeaked(password: string, range: LeakedRange | undefined): Promise<boolean | undefined> {
  const sha1 = createHash('sha1').update(password).digest('hex').toUpperCase()
  // An unavailable service must not prevent people from setting a password.
  const lines = await range?.(sha1.slice(0, 5)).catch(() => undefined)
  if (lines === undefined) return undefined
  const suffix = sha1.slice(5)
  return lines
    .split(/\r?\n/)
    .some((line) => line.toUpperCase().startsWith(suffix) && !/:0+$/.test(line.trim()))
}

/**
 * Checks a new password against the password policy.
 *
 * @throws ApiError invalid_request that names the rule
 */
export async function requireAcceptablePassword(
  password: string,
  email: string,
  range: LeakedRange | undefined,
): Promise<void> {
  const leaked = await wasLeaked(password, range)
  const common = await commonPasswords()
  const weakness = passwordWeakness({ password, email, isCommon: (text) => common.has(text), leaked })
  if (weakness) throw invalidRequest([{ in: 'body', name: 'password', message: weakness }])
}
