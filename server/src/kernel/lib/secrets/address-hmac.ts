import { createHmac, type KeyObject } from 'node:crypto'
import { foldCase } from '../fold-case.ts'

/**
 * Returns the lookup key of a stolen credential's address, ignoring case: HMAC-SHA-256 in base64url. It differs between
 * organizations.
 */
export const addressHmac = (key: KeyObject, org: number, address: string): string =>
  createHmac('sha256', key)
    .update(`${org}\n${foldCase(address)}`)
    .digest('base64url')
