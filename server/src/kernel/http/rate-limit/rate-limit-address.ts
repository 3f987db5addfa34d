import { isIPv6 } from 'node:net'
import type { Clock } from '../../lib/clock.ts'
import { type Decision, tokenBuckets } from '../../lib/token-buckets.ts'

/** Counts the failed authentications of client addresses. */
export interface FailedAttemptLimiter {
  /** Counts one failed attempt. If the answer is not `allowed`, the client gets 429 instead of 401. */
  take(address: string): Decision
  /** Addresses that are remembered now. */
  readonly size: number
}

/**
 * Limits failed authentications to 20 a second per client address (REST contract, Rate limit). It is asked only after an
 * attempt has failed, so valid keys from the same address never pay for it.
 *
 * One client owns a whole /64 of IPv6, so that is what counts there. At most about `maxAddresses` are remembered (a few
 * megabytes); beyond that the least recently seen are forgotten, which forgives them a few attempts.
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

/** What one client can be told apart by: its IPv4 address, also in IPv6 notation, or the first 64 bits of its IPv6 address. */
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
