import { ApiError } from '@muster/contract/errors'
import { boundedMap } from '../lib/bounded-map.ts'
import type { Clock } from '../lib/clock.ts'
import { apiKeyLength, hashApiKey, isWellFormedApiKey } from '../lib/secrets/api-key.ts'
import type { Principal } from './principal.ts'
import type { FailedAttemptLimiter } from './rate-limit/rate-limit-address.ts'
import { retryAfterSeconds } from './rate-limit/rate-limit-headers.ts'

export interface AuthenticateOptions {
  clock: Clock
  failures: FailedAttemptLimiter
  /** The principal of a key by its hash; undefined for a key that is unknown or revoked. */
  findPrincipal(hash: string): Promise<Principal | undefined>
  /** Told of every use of a valid key; must be quick. */
  noteUse(principal: Principal, nowMs: number): void
}

/** How long what is known of a key is believed: a revocation takes effect within this time. */
const believedMs = 1000
const cachedKeys = 10_000

/**
 * Finds out who makes a request. A key that is missing, malformed, unknown, expired or revoked gets one
 * and the same 401; who fails too often from one address gets 429 (REST contract, Authentication).
 *
 * @returns a function that gives the principal at once when the key is known, else a promise of it
 * @throws (the function) ApiError unauthenticated or rate_limited
 */
export function authenticator(options: AuthenticateOptions) {
  const { clock, failures, findPrincipal, noteUse } = options
  const known = boundedMap<string, { principal: Principal; untilMs: number }>(cachedKeys)

  const refuse = (address: string): ApiError => {
    const decision = failures.take(address)
    if (decision.allowed) {
      const detail = 'Send a valid API key in the x-api-key header.'
      return new ApiError('unauthenticated', detail, { headers: { 'www-authenticate': 'ApiKey' } })
    }
    const headers = { 'retry-after': String(retryAfterSeconds(decision.retryAfterMs)) }
    return new ApiError('rate_limited', 'Too many failed authentications from this address.', { headers })
  }

  const admit = (principal: Principal, nowMs: number, address: string): Principal => {
    if (principal.expiryTimestamp !== null && principal.expiryTimestamp * 1000 <= nowMs) throw refuse(address)
    noteUse(principal, nowMs)
    return principal
  }

  const lookUp = async (hash: string, address: string): Promise<Principal> => {
    const principal = await findPrincipal(hash)
    if (!principal) {
      known.delete(hash)
      throw refuse(address)
    }
    known.set(hash, { principal, untilMs: clock.monotonicMs() + believedMs })
    return admit(principal, clock.nowMs(), address)
  }

  return (header: string | string[] | undefined, address: string): Principal | Promise<Principal> => {
    if (typeof header !== 'string' || header.length !== apiKeyLength) throw refuse(address)
    const hash = hashApiKey(header)
    const cached = known.get(hash)
    if (cached && clock.monotonicMs() < cached.untilMs) return admit(cached.principal, clock.nowMs(), address)
    // A key that is known was well-formed.
    if (!isWellFormedApiKey(header)) throw refuse(address)
    return lookUp(hash, address)
  }
}
