import { createHash } from 'node:crypto'
import { invalidRequest } from '@muster/contract/errors'
import { passwordWeakness } from './password-strength.rules.ts'

/** The lines `SUFFIX:COUNT` of leaked passwords whose SHA-1 begins with five digits; undefined if nobody can tell. */
export type LeakedRange = (prefix: string) => Promise<string | undefined>

/** So many of the most common passwords are refused. */
const commonWords = 10_000
let common: ReadonlySet<string> | undefined

/** Loaded when the first password is chosen. */
async function commonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  common ??= new Set((dictionary['passwords-common'] as readonly string[]).slice(0, commonWords))
  return common
}

/** Whether a password was seen in a leak. Only the first digits of its hash are asked for. */
async function wasLeaked(password: string, range: LeakedRange | undefined): Promise<boolean | undefined> {
  const sha1 = createHash('sha1').update(password).digest('hex').toUpperCase()
  // A service that does not answer is no reason to keep people from choosing a password.
  const lines = await range?.(sha1.slice(0, 5)).catch(() => undefined)
  if (lines === undefined) return undefined
  const suffix = sha1.slice(5)
  return lines
    .split(/\r?\n/)
    .some((line) => line.toUpperCase().startsWith(suffix) && !/:0+$/.test(line.trim()))
}

/**
 * Lets a password pass that somebody chooses.
 *
 * @throws ApiError invalid_request that says what would be right
 */
export async function acceptPassword(
  password: string,
  email: string,
  range: LeakedRange | undefined,
): Promise<void> {
  const leaked = await wasLeaked(password, range)
  const common = await commonPasswords()
  const weakness = passwordWeakness({ password, email, isCommon: (text) => common.has(text), leaked })
  if (weakness) throw invalidRequest([{ in: 'body', name: 'password', message: weakness }])
}
