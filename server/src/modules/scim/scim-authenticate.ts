import { ApiError } from '@muster/contract/api/errors'
import type { Logger } from 'pino'
import type { FailedAttemptLimiter } from '../../kernel/http/rate-limit/rate-limit-address.ts'
import { failedAttemptError } from '../../kernel/http/rate-limit/rate-limit-errors.ts'
import { boundedMap } from '../../kernel/lib/bounded-map.ts'
import type { Clock } from '../../kernel/lib/clock.ts'
import { hashToken } from '../../kernel/lib/secrets/agent-token.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { findScimToken, isScimToken, recordScimUse, type ScimToken } from './scim-tokens.service.ts'

/** Cache time of tokens. A revocation takes effect within this time. */
const cacheMs = 1000
const cachedTokens = 10_000
/** Minimum interval between updates of a token's last use. */
const useIntervalMs = 60_000

/**
 * Creates the authenticator of directories. Missing, malformed, unknown and revoked tokens get the same 401.
 *
 * @returns a function of authorization header and address that throws ApiError unauthenticated or rate_limited
 */
export function scimAuthenticator(options: {
  readonly db: Db
  readonly clock: Clock
  readonly log: Logger
  readonly failures: FailedAttemptLimiter
}) {
  const { db, clock, log, failures } = options
  const known = boundedMap<string, { token: ScimToken; untilMs: number }>(cachedTokens)
  const usedMs = boundedMap<string, number>(cachedTokens)

  const refuse = (address: string): ApiError => {
    const detail = 'Send a valid token of the organization as a bearer token.'
    const headers = { 'www-authenticate': 'Bearer realm="SCIM"' }
    return failedAttemptError(failures, address, new ApiError('unauthenticated', detail, { headers }))
  }

  const noteUse = (token: ScimToken): void => {
    const nowMs = clock.nowMs()
    const last = usedMs.get(token.id)
    if (last !== undefined && Math.abs(nowMs - last) < useIntervalMs) return
    usedMs.set(token.id, nowMs)
    // A failed write must not fail requests.
    void recordScimUse(db, token, Math.floor(nowMs / 1000)).catch((error) =>
      log.warn({ err: error }, 'SCIM: the last use of a token could not be stored'),
    )
  }

  return async (header: string | undefined, address: string): Promise<ScimToken> => {
    const text = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1]
    if (text === undefined || !isScimToken(text)) throw refuse(address)
    const tokenHash = hashToken(text)
    const cached = known.get(tokenHash)
    if (cached && clock.monotonicMs() < cached.untilMs) {
      noteUse(cached.token)
      return cached.token
    }
    const token = await findScimToken(db, tokenHash)
    if (!token || token.revokedTimestamp !== null) {
      known.delete(tokenHash)
      throw refuse(address)
    }
    known.set(tokenHash, { token, untilMs: clock.monotonicMs() + cacheMs })
    noteUse(token)
    return token
  }
}
