import { ApiError } from '@muster/contract/api/errors'
import { boundedMap } from '../lib/bounded-map.ts'
import type { Clock } from '../lib/clock.ts'
import { apiKeyLength, hashApiKey, isWellFormedApiKey } from '../lib/secrets/api-key.ts'
import type { Principal } from './principal.ts'
import type { FailedAttemptLimiter } from './rate-limit/rate-limit-address.ts'
import { failedAttemptError } from './rate-limit/rate-limit-errors.ts'

export interface AuthenticateOptions {
  clock: Clock
  failures: FailedAttemptLimiter
  /** Finds the principal of a key by its hash; undefined if the key is unknown or revoked. */
  findPrincipal(hash: string): Promise<Principal | undefined>
  /** Called for every use of a valid key; must be fast. */
  noteUse(principal: Principal, nowMs: number): void
}

/** Cache lifetime of a key. A revocation takes effect within this time. */
const cacheMs = 1000
const cachedKeys = 10_000

/**
 * Creates the authenticator of API keys. A key that is missing, malformed, unknown, expired or revoked gets the same 401.
 * Too many failures from one address get 429 (REST contract, Authentication).
 *
 * @returns a function that returns the principal of a cached key, otherwise a promise of the principal
 * @throws (the function) ApiError unauthenticated or rate_limited
 */
export function authenticator(options: AuthenticateOptions) {
  const { clock, failures, findPrincipal, noteUse } = options
  const known = boundedMap<string, { principal: Principal; untilMs: number }>(cachedKeys)

  const refuse = (address: string): ApiError => {
    const detail = 'Send a valid API key in the x-api-key header.'
    const headers = { 'www-authenticate': 'ApiKey' }
    return failedAttemptError(failures, address, new ApiError('unauthenticated', detail, { headers }))
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
    known.set(hash, { principal, untilMs: clock.monotonicMs() + cacheMs })
    return admit(principal, clock.nowMs(), address)
  }

  return (header: string | string[] | undefined, address: string): Principal | Promise<Principal> => {
    if (typeof header !== 'string' || header.length !== apiKeyLength) throw refuse(address)
    const hash = hashApiKey(header)
    const cached = known.get(hash)
    if (cached && clock.monotonicMs() < cached.untilMs) return admit(cached.principal, clock.nowMs(), address)
    // Checked after the cache: a cached key is well-formed.
    if (!isWellFormedApiKey(header)) throw refuse(address)
    return lookUp(hash, address)
  }
}
