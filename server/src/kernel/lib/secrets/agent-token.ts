import { hash, randomBytes } from 'node:crypto'

/** Bearer token of a browser: `mbc_` and 43 characters of base64url, 256 random bits. */
export const newBrowserCredential = (): string => `mbc_${randomBytes(32).toString('base64url')}`

/** Token by which managed browsers of an organization enroll: `met_` and 43 characters of base64url. */
export const newEnrollmentToken = (): string => `met_${randomBytes(32).toString('base64url')}`

/** Whether a token is one for managed browsers, by its form; else it is that of an enrollment link. */
export const isEnrollmentToken = (token: string): boolean => /^met_[\w-]{43}$/.test(token)

/** Whether the text has the form of a browser's credential. */
export const isBrowserCredential = (text: string): boolean => /^mbc_[\w-]{43}$/.test(text)

/** What is kept of a token: SHA-256 in hexadecimal. It has 256 random bits, so a slow hash would add nothing. */
export const hashToken = (token: string): string => hash('sha256', token, 'hex')
