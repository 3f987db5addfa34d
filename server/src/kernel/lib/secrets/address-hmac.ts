import { createHmac, type KeyObject } from 'node:crypto'
import { foldCase } from '../fold-case.ts'

/**
 * By what a stolen credential's address is found, without case: the same address of another organization has another
 * one. HMAC-SHA-256 as base64url.
 */
export const addressHmac = (key: KeyObject, org: number, address: string): string =>
  createHmac('sha256', key)
    .update(`${org}\n${foldCase(address)}`)
    .digest('base64url')
