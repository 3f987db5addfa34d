import { hash, randomBytes } from 'node:crypto'

/** A random text that proves who has it, and what is kept of it. */
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

/** Letters and digits that people do not take for each other. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
const codeLength = 16

/** A recovery code: 16 characters, 79 random bits, in groups of four. */
export function newRecoveryCode(): string {
  let code = ''
  while (code.length < codeLength) {
    for (const byte of randomBytes(codeLength)) {
      // What lies beyond a whole number of alphabets would favor its first letters.
      if (byte >= 256 - (256 % letters.length) || code.length === codeLength) continue
      code += letters[byte % letters.length]
    }
  }
  return code.replace(/(.{4})(?=.)/g, '$1-')
}

/** What is kept of a recovery code; blanks, dashes and case make no difference. */
export const hashRecoveryCode = (code: string): string => hashToken(code.toLowerCase().replace(/[\s-]/g, ''))
