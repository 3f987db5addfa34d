import { sha256 } from './sha256.ts'

/**
 * By what a password is known again in this browser (domain contract, section 3). It never leaves it.
 *
 * @param salt the UUID made at install
 * @returns 8 lower-case hexadecimal characters
 */
export const fingerprintOf = (salt: string, password: string): string => sha256(salt + password).slice(0, 8)

/** So much of a fingerprint as pages' processes are told, to ask about few texts only: its first byte. */
export const hintOf = (fingerprint: string): string => fingerprint.slice(0, 2)
