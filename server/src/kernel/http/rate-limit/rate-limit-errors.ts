import { ApiError } from '@muster/contract/api/errors'
import { retryAfterSeconds } from './rate-limit.ts'
import type { FailedAttemptLimiter } from './rate-limit-address.ts'

/**
 * Counts a failed attempt of an address.
 *
 * @returns `error`, or a 429 error after too many attempts
 */
export function failedAttemptError(
  failures: FailedAttemptLimiter,
  address: string,
  error: ApiError,
): ApiError {
  const { allowed, retryAfterMs } = failures.take(address)
  return allowed
    ? error
    : rateLimitedError('Too many failed authentication attempts from this address.', retryAfterMs)
}

/** Creates a 429 error with the header Retry-After. */
export const rateLimitedError = (detail: string, retryAfterMs: number): ApiError =>
  new ApiError('rate_limited', detail, {
    headers: { 'retry-after': String(retryAfterSeconds(retryAfterMs)) },
  })
