import type { KeyObject } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { decryptText, encryptText } from '../../kernel/lib/secrets/secret.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { type AdministratorRow, takeTotpStep } from '../administrators/administrators.service.ts'

const periodSeconds = 30
/** Number of earlier and later steps whose codes are accepted, because clocks differ. */
const stepsAround = 1

const totpOf = (secret: Secret, email = '') =>
  new TOTP({ issuer: 'Muster', label: email, secret, algorithm: 'SHA1', digits: 6, period: periodSeconds })

/** Creates a secret for an authenticator app, with the URI for its QR code. */
export function newTotpSecret(email: string): { secret: string; uri: string } {
  const secret = new Secret({ size: 20 })
  return { secret: secret.base32, uri: totpOf(secret, email).toString() }
}

const encryptionContext = ({ org, id }: Pick<AdministratorRow, 'org' | 'id'>): string => `totp ${org} ${id}`

/** Encrypts a secret, bound to this administrator. */
export const sealTotpSecret = (
  key: KeyObject,
  administrator: Pick<AdministratorRow, 'org' | 'id'>,
  secret: string,
): string => encryptText(key, secret, encryptionContext(administrator))

/** Returns the time step of a code; undefined if the code is not currently valid. */
export function totpStep(
  key: KeyObject,
  administrator: Pick<AdministratorRow, 'org' | 'id'>,
  sealed: string,
  code: string,
  nowSeconds: number,
): number | undefined {
  const secret = Secret.fromBase32(decryptText(key, sealed, encryptionContext(administrator)))
  const delta = totpOf(secret).validate({ token: code, timestamp: nowSeconds * 1000, window: stepsAround })
  return delta === null ? undefined : Math.floor(nowSeconds / periodSeconds) + delta
}

/** Verifies a code and consumes it; false if it is wrong or was used before. */
export async function takeTotpCode(
  tx: Tx,
  key: KeyObject,
  administrator: AdministratorRow,
  code: string,
  nowSeconds: number,
): Promise<boolean> {
  if (administrator.totpSecret === null) return false
  const step = totpStep(key, administrator, administrator.totpSecret, code, nowSeconds)
  return step !== undefined && takeTotpStep(tx, administrator.org, administrator.id, step)
}
