/** Failure of one attempt. */
export interface Failure {
  /** The status of the answer; undefined when none came. */
  readonly status: number | undefined
  /** `Retry-After` of the answer. */
  readonly retryAfterSeconds: number | undefined
  /** True if the request may be repeated although its outcome is unknown. */
  readonly repeatable: boolean
  /** Attempts so far, this one included; those that found a first one still running are none. */
  readonly attempts: number
  /** For how long a first attempt that still runs may be waited for yet. */
  readonly patienceMs: number
}

/** Bounds of trying again. */
export interface RetryBounds {
  /** Attempts in all, without those that find the first one still running; 1: never again. */
  readonly attemptsMaximum: number
  /** The longest wait that a server may ask for, in seconds; a call that would wait longer fails at once. */
  readonly waitMaximumSeconds: number
}

export const retryBoundsDefault: RetryBounds = { attemptsMaximum: 6, waitMaximumSeconds: 60 }

const backoff = { baseMs: 250, capMs: 15_000 }

/** Minimum wait before asking again for a first attempt that is still running. */
const runningDelayMinimumMs = 1000

/** Answers of the server, or of a proxy before it, that may be different a little later. */
const passing = new Set([502, 503, 504])

/**
 * Returns the wait before the next attempt in milliseconds; undefined to give up.
 *
 * A 429 is refused before any processing, so every call may be repeated. After a lost connection or during an outage,
 * only repeatable calls are: reads, and POSTs with an Idempotency-Key.
 *
 * @param random from 0 to 1, to spread the load of many clients
 */
export function retryDelayMs(failure: Failure, bounds: RetryBounds, random: number): number | undefined {
  const { attempts, retryAfterSeconds, patienceMs } = failure
  if (retryAfterSeconds !== undefined && retryAfterSeconds > bounds.waitMaximumSeconds) return undefined
  if (stillRuns(failure)) {
    const delayMs = Math.max(runningDelayMinimumMs, failure.retryAfterSeconds * 1000)
    return bounds.attemptsMaximum > 1 && delayMs <= patienceMs ? delayMs : undefined
  }
  if (attempts >= bounds.attemptsMaximum || !mayPass(failure)) return undefined
  if (retryAfterSeconds !== undefined) return retryAfterSeconds * 1000
  const highest = Math.min(backoff.capMs, backoff.baseMs * 2 ** (attempts - 1))
  return Math.round((highest * (1 + random)) / 2)
}

/**
 * True if a first attempt of the same POST is still running: the response is a 409 with a time to retry (REST contract,
 * Idempotency). Nothing has failed then.
 */
export const stillRuns = (failure: Failure): failure is Failure & { retryAfterSeconds: number } =>
  failure.repeatable && failure.status === 409 && failure.retryAfterSeconds !== undefined

function mayPass({ status, repeatable }: Failure): boolean {
  return status === 429 || (repeatable && (status === undefined || passing.has(status)))
}

/** `Retry-After` in seconds, as a number or a date (RFC 9110, 10.2.3); undefined when it is neither. */
export function readRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const atMs = /^[A-Z][a-z]{2}, \d{2} /.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(atMs) ? undefined : Math.max(0, Math.ceil((atMs - nowMs) / 1000))
}
