import type { Logger } from 'pino'
import { retryAfterSeconds } from '../../kernel/http/rate-limit/rate-limit.ts'
import type { FailedAttemptLimiter } from '../../kernel/http/rate-limit/rate-limit-address.ts'
import { boundedMap } from '../../kernel/lib/bounded-map.ts'
import type { Clock } from '../../kernel/lib/clock.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { ScimError } from './protocol/scim-error.rules.ts'
import {
  findScimToken,
  hashScimToken,
  isScimToken,
  recordScimUse,
  type ScimToken,
} from './scim-tokens.service.ts'

/** Cache time of tokens. A revocation takes effect within this time. */
const cacheMs = 1000
const cachedTokens = 10_000
/** Minimum interval between updates of a token's last use. */
const useIntervalMs = 60_000

/** A SCIM error with headers. */
export class ScimRefusal extends ScimError {
  readonly headers: Readonly<Record<string, string>>
  constructor(status: number, detail: string, headers: Readonly<Record<string, string>>) {
    super(status, undefined, detail)
    this.headers = headers
  }
}

export const tooManyRequests = (detail: string, retryAfterMs: number): ScimRefusal =>
  new ScimRefusal(429, detail, { 'retry-after': String(retryAfterSeconds(retryAfterMs)) })

/**
 * Creates the authenticator of directories. Missing, malformed, unknown and revoked tokens get the same 401.
 *
 * @returns a function of authorization header and address that throws a ScimRefusal, 401 or 429
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

  const refuse = (address: string): ScimRefusal => {
    const { allowed, retryAfterMs } = failures.take(address)
    return allowed
      ? new ScimRefusal(401, 'Send a valid token of the organization as a bearer token.', {
          'www-authenticate': 'Bearer realm="SCIM"',
        })
      : tooManyRequests('Too many failed authentication attempts from this address.', retryAfterMs)
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
    const tokenHash = hashScimToken(text)
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
