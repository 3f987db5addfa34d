import { hash, randomBytes } from 'node:crypto'

/** Random bearer token, and the hash that is stored. */
export interface SecretToken {
  /** 256 random bits as 43 characters of base64url. */
  readonly token: string
  readonly hash: string
}

export const hashToken = (token: string): string => hash('sha256', token, 'hex')

export function newSecretToken(): SecretToken {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: hashToken(token) }
}

/** Letters and digits that are not easily confused. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
const codeLength = 16

/** Returns a recovery code: 16 characters, 79 random bits, in groups of four. */
export function newRecoveryCode(): string {
  let code = ''
  while (code.length < codeLength) {
    for (const byte of randomBytes(codeLength)) {
      // Discard values above the largest multiple of the alphabet's size, which would bias the first letters.
      if (byte >= 256 - (256 % letters.length) || code.length === codeLength) continue
      code += letters[byte % letters.length]
    }
  }
  return code.replace(/(.{4})(?=.)/g, '$1-')
}

/** Returns the hash of a recovery code. Spaces, dashes and case are ignored. */
export const hashRecoveryCode = (code: string): string => hashToken(code.toLowerCase().replace(/[\s-]/g, ''))
