import { ApiError } from '@muster/contract/api/errors'
import type { FailedAttemptLimiter } from '../../kernel/http/rate-limit/rate-limit-address.ts'
import { failedAttemptError } from '../../kernel/http/rate-limit/rate-limit-errors.ts'
import { boundedMap } from '../../kernel/lib/bounded-map.ts'
import type { Clock } from '../../kernel/lib/clock.ts'
import { hashToken, isBrowserCredential } from '../../kernel/lib/secrets/agent-token.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { findBrowserCredential } from '../browsers/browser-credentials.service.ts'
import type { AgentPrincipal } from './agent-principal.ts'

export interface AgentAuthenticateOptions {
  readonly clock: Clock
  readonly failures: FailedAttemptLimiter
  readonly db: Db
}

/** Cache time of credentials. A revocation takes effect within this time. */
const cacheMs = 1000
const cachedAgents = 20_000

/**
 * Authenticates browsers. Missing, malformed, unknown and revoked credentials get the same 401 (domain
 * contract, section 1).
 *
 * @returns a function of authorization header and address that throws ApiError unauthenticated or
 *   rate_limited
 */
export function agentAuthenticator({ db, clock, failures }: AgentAuthenticateOptions) {
  const known = boundedMap<string, { agent: AgentPrincipal; untilMs: number }>(cachedAgents)
  const unauthenticated = (address: string): ApiError =>
    failedAttemptError(
      failures,
      address,
      new ApiError('unauthenticated', 'Send the credential of an enrolled browser as a bearer token.', {
        headers: { 'www-authenticate': 'Bearer' },
      }),
    )
  return async (header: string | undefined, address: string): Promise<AgentPrincipal> => {
    const credential = /^Bearer (\S+)$/i.exec(header ?? '')?.[1]
    if (credential === undefined || !isBrowserCredential(credential)) throw unauthenticated(address)
    const hash = hashToken(credential)
    const cached = known.get(hash)
    if (cached && clock.monotonicMs() < cached.untilMs) return cached.agent
    const found = await findBrowserCredential(db, hash)
    if (!found || found.revokedTimestamp !== null) {
      known.delete(hash)
      throw unauthenticated(address)
    }
    const agent = { org: found.org, browserId: found.browserId, employeeId: found.employeeId }
    known.set(hash, { agent, untilMs: clock.monotonicMs() + cacheMs })
    return agent
  }
}
