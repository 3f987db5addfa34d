import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto'
import type { AdministratorRow } from '../administrators/administrators.service.ts'

/** Members of an administrator that the cookie is bound to. */
type Owner = Pick<AdministratorRow, 'org' | 'id' | 'passwordHash'>

/** Binds the cookie to one administrator and the current password: changing the password invalidates it. */
const seal = (key: KeyObject, { org, id, passwordHash }: Owner, nonce: string): Buffer =>
  createHmac('sha256', key).update(`known browser\n${org}\n${id}\n${passwordHash}\n${nonce}`).digest()

/**
 * Returns the value of the cookie that marks a browser in which an administrator has signed in (an OWASP device
 * cookie).
 */
export function knownBrowser(key: KeyObject, owner: Owner): string {
  const nonce = randomBytes(16).toString('base64url')
  return `${nonce}.${seal(key, owner, nonce).toString('base64url')}`
}

/**
 * Returns the key under which attempts from a known browser are counted. It is specific to the browser, so guesses
 * from other browsers do not lock it.
 *
 * @param administrators the administrators with the e-mail address that signs in
 * @returns undefined if none of them has signed in from this browser
 */
export function browserKeyOf(
  key: KeyObject,
  cookie: string | undefined,
  administrators: readonly Owner[],
): string | undefined {
  const [, nonce, signature] = /^([\w-]{22})\.([\w-]{43})$/.exec(cookie ?? '') ?? []
  if (nonce === undefined || signature === undefined) return undefined
  const given = Buffer.from(signature, 'base64url')
  const isKnown = administrators.some((one) => timingSafeEqual(seal(key, one, nonce), given))
  return isKnown ? `browser ${nonce}` : undefined
}
