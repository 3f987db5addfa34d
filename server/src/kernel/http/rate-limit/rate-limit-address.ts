import { isIPv6 } from 'node:net'
import type { Clock } from '../../lib/clock.ts'
import { type Decision, tokenBuckets } from '../../lib/token-buckets.ts'

/** Rate limiter of failed authentications by client address. */
export interface FailedAttemptLimiter {
  /** Counts a failed attempt. If the result is not `allowed`, the client gets 429 instead of 401. */
  take(address: string): Decision
  /** Number of addresses in memory. */
  readonly size: number
}

/**
 * Limits failed authentications to 20 per second and client address (REST contract, Rate limit). Called only after a failed
 * attempt, so valid keys from the same address are not affected.
 *
 * IPv6 addresses are counted by /64, which one client usually owns. At most about `maxAddresses` are kept in memory (a few
 * megabytes); the least recently used are dropped, which forgives them a few attempts.
 */
export function failedAttemptLimiter(options: {
  readonly clock: Clock
  readonly perSecond?: number
  readonly maxAddresses?: number
}): FailedAttemptLimiter {
  const { clock, perSecond = 20, maxAddresses = 20_000 } = options
  const buckets = tokenBuckets({ capacity: perSecond, perSecond, clock, maxKeys: maxAddresses })
  return {
    take: (address) => buckets.take(addressBlock(address)),
    get size() {
      return buckets.size
    },
  }
}

/** Returns the key of a client: its IPv4 address, also if IPv4-mapped, or the first 64 bits of its IPv6 address. */
export function addressBlock(address: string): string {
  const plain = address.toLowerCase().replace(/%.*$/, '')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.split('::')
  const groups = head === '' ? [] : head.split(':')
  const tailGroups = tail === undefined || tail === '' ? [] : tail.split(':')
  const groupsOfTail = tailGroups.length + (tail?.includes('.') === true ? 1 : 0)
  while (groups.length + groupsOfTail < 8) groups.push('0')
  const first = [...groups, ...tailGroups].slice(0, 4)
  return `${first.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`
}
