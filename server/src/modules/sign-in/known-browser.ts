import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto'
import type { AdministratorRow } from '../administrators/administrators.service.ts'

/** By whom a browser is known. */
type Whose = Pick<AdministratorRow, 'org' | 'id' | 'passwordHash'>

/** It holds for one administrator, and for the password that they have now: who knew an old one is a stranger. */
const seal = (key: KeyObject, { org, id, passwordHash }: Whose, nonce: string): Buffer =>
  createHmac('sha256', key).update(`known browser\n${org}\n${id}\n${passwordHash}\n${nonce}`).digest()

/** The value of a cookie by which a browser is known in which an administrator has wholly signed in. */
export function knownBrowser(key: KeyObject, whose: Whose): string {
  const nonce = randomBytes(16).toString('base64url')
  return `${nonce}.${seal(key, whose, nonce).toString('base64url')}`
}

/**
 * The name under which attempts of a known browser are counted: it is the browser's own.
 *
 * @param cookie what the browser has sent
 * @param administrators those of the address that it wants to sign in with
 * @returns undefined if none of them is known to have signed in there
 */
export function nameOfBrowser(
  key: KeyObject,
  cookie: string | undefined,
  administrators: readonly Whose[],
): string | undefined {
  const [, nonce, sent] = /^([\w-]{22})\.([\w-]{43})$/.exec(cookie ?? '') ?? []
  if (nonce === undefined || sent === undefined) return undefined
  const given = Buffer.from(sent, 'base64url')
  const isKnown = administrators.some((one) => timingSafeEqual(seal(key, one, nonce), given))
  return isKnown ? `browser ${nonce}` : undefined
}
