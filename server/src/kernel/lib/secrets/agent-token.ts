import { hash, randomBytes } from 'node:crypto'

/** Creates a bearer token of a browser: `mbc_` and 256 random bits in base64url (43 characters). */
export const newBrowserCredential = (): string => `mbc_${randomBytes(32).toString('base64url')}`

/** Creates an enrollment token for managed browsers: `met_` and 256 random bits in base64url (43 characters). */
export const newEnrollmentToken = (): string => `met_${randomBytes(32).toString('base64url')}`

/** Returns true if a token is for managed browsers; otherwise it belongs to an enrollment link. */
export const isEnrollmentToken = (token: string): boolean => /^met_[\w-]{43}$/.test(token)

/** Returns true if a text has the form of a browser credential. */
export const isBrowserCredential = (text: string): boolean => /^mbc_[\w-]{43}$/.test(text)

/** Hashes a token for storage: SHA-256 in hexadecimal. A slow hash is not needed for 256 random bits. */
export const hashToken = (token: string): string => hash('sha256', token, 'hex')
