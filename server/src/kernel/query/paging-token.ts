import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'

/**
 * Tokens of token paging: opaque, URL-safe, versioned, authenticated, and bound to what they were
 * made for (REST contract, Paging). A token holds the place in the order of creation and nothing else.
 */
const version = 1
const macBytes = 16

/** What a token is bound to: it is good for the same organization, endpoint and filters only. */
export interface TokenScope {
  org: number
  path: string
  /** The filters of the request in a form that is the same for the same filters. */
  filters: string
}

function macOf(key: KeyObject, scope: TokenScope, head: Buffer): Buffer {
  const mac = createHmac('sha256', key)
  mac.update(head)
  mac.update(`${scope.org}\n${scope.path}\n${scope.filters}`)
  return mac.digest().subarray(0, macBytes)
}

/** The token for the page behind the record with sequence number `seq`. 34 characters. */
export function makePagingToken(key: KeyObject, scope: TokenScope, seq: number): string {
  const head = Buffer.allocUnsafe(9)
  head.writeUInt8(version, 0)
  head.writeBigUInt64BE(BigInt(seq), 1)
  return Buffer.concat([head, macOf(key, scope, head)]).toString('base64url')
}

/** The place that a token stands for; undefined unless this server made it for this scope. */
export function readPagingToken(key: KeyObject, scope: TokenScope, token: string): number | undefined {
  if (!/^[\w-]{34}$/.test(token)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  // Base64 has spare bits: only the spelling that was given out is taken back.
  if (bytes.length !== 9 + macBytes || bytes[0] !== version || bytes.toString('base64url') !== token)
    return undefined
  const head = bytes.subarray(0, 9)
  if (!timingSafeEqual(macOf(key, scope, head), bytes.subarray(9))) return undefined
  return Number(head.readBigUInt64BE(1))
}
