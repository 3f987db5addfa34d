import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'

/**
 * Paging tokens (`nextToken`): opaque, URL-safe, versioned, authenticated, and bound to one list (REST contract, Paging). A
 * token contains a sequence number and nothing else.
 */
const version = 1
const macBytes = 16

/** Scope of a token. It is valid for the same organization, endpoint and filters only. */
export interface TokenScope {
  org: number
  path: string
  /** Filters of the request in canonical form. */
  filters: string
}

function macOf(key: KeyObject, scope: TokenScope, head: Buffer): Buffer {
  const mac = createHmac('sha256', key)
  mac.update(head)
  mac.update(`${scope.org}\n${scope.path}\n${scope.filters}`)
  return mac.digest().subarray(0, macBytes)
}

/** Returns the token for the page after the record with sequence number `seq`. It has 34 characters. */
export function makePagingToken(key: KeyObject, scope: TokenScope, seq: number): string {
  const head = Buffer.allocUnsafe(9)
  head.writeUInt8(version, 0)
  head.writeBigUInt64BE(BigInt(seq), 1)
  return Buffer.concat([head, macOf(key, scope, head)]).toString('base64url')
}

/** Returns the sequence number in a token; undefined unless this server made the token for this scope. */
export function readPagingToken(key: KeyObject, scope: TokenScope, token: string): number | undefined {
  if (!/^[\w-]{34}$/.test(token)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  // Base64 has spare bits, so several texts decode to the same bytes. Only the original text is accepted.
  if (bytes.length !== 9 + macBytes || bytes[0] !== version || bytes.toString('base64url') !== token)
    return undefined
  const head = bytes.subarray(0, 9)
  if (!timingSafeEqual(macOf(key, scope, head), bytes.subarray(9))) return undefined
  return Number(head.readBigUInt64BE(1))
}
