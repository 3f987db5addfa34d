import { sha256 } from './sha256.ts'

/**
 * Returns the fingerprint that identifies a password in this browser (domain contract, section 3). Never leaves the
 * browser.
 *
 * @param salt UUID created at installation
 * @returns 8 lower-case hexadecimal characters
 */
export const fingerprintOf = (salt: string, password: string): string => sha256(salt + password).slice(0, 8)

/** Returns the first byte of a fingerprint. Pages' processes get only this part, so they ask about few texts. */
export const hintOf = (fingerprint: string): string => fingerprint.slice(0, 2)
