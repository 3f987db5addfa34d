import { ApiError } from '@muster/contract/errors'
import type { FailedAttemptLimiter } from '../../kernel/http/rate-limit/rate-limit-address.ts'
import { retryAfterSeconds } from '../../kernel/http/rate-limit/rate-limit-headers.ts'
import { boundedMap } from '../../kernel/lib/bounded-map.ts'
import type { Clock } from '../../kernel/lib/clock.ts'
import { hashToken, isBrowserCredential } from '../../kernel/lib/secrets/agent-token.ts'
import type { AgentPrincipal } from './agent-caller.ts'

export interface AgentAuthenticateOptions {
  readonly clock: Clock
  readonly failures: FailedAttemptLimiter
  /** The browser of a credential by its hash; undefined for one that is unknown or revoked. */
  findAgent(hash: string): Promise<AgentPrincipal | undefined>
}

/** How long what is known of a credential is believed: a revocation takes effect within this time. */
const believedMs = 1000
const cachedAgents = 20_000

/**
 * Counts a failed attempt of an address, and gives what to refuse it with: `refusal`, or 429 if there were too many.
 */
export function refusalOf(failures: FailedAttemptLimiter, address: string, refusal: ApiError): ApiError {
  const { allowed, retryAfterMs } = failures.take(address)
  return allowed ? refusal : tooMany('Too many failed attempts from this address.', retryAfterMs)
}

/** The refusal of a request that came too soon. */
export const tooMany = (detail: string, retryAfterMs: number): ApiError =>
  new ApiError('rate_limited', detail, {
    headers: { 'retry-after': String(retryAfterSeconds(retryAfterMs)) },
  })

/**
 * Finds out which browser makes a request. A credential that is missing, malformed, unknown or revoked gets one and the
 * same 401 (domain contract, section 1).
 *
 * @returns a function from the authorization header and the address; it throws ApiError unauthenticated or rate_limited
 */
export function agentAuthenticator({ clock, failures, findAgent }: AgentAuthenticateOptions) {
  const known = boundedMap<string, { agent: AgentPrincipal; untilMs: number }>(cachedAgents)
  const refuse = (address: string): ApiError =>
    refusalOf(
      failures,
      address,
      new ApiError('unauthenticated', 'Send the credential of an enrolled browser as a bearer token.', {
        headers: { 'www-authenticate': 'Bearer' },
      }),
    )
  return async (header: string | undefined, address: string): Promise<AgentPrincipal> => {
    const credential = /^Bearer (\S+)$/i.exec(header ?? '')?.[1]
    if (credential === undefined || !isBrowserCredential(credential)) throw refuse(address)
    const hash = hashToken(credential)
    const cached = known.get(hash)
    if (cached && clock.monotonicMs() < cached.untilMs) return cached.agent
    const agent = await findAgent(hash)
    if (!agent) {
      known.delete(hash)
      throw refuse(address)
    }
    known.set(hash, { agent, untilMs: clock.monotonicMs() + believedMs })
    return agent
  }
}
