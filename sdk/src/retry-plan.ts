/** How one attempt of a call ended without success. */
export interface Failure {
  /** The status of the answer; undefined when none came. */
  readonly status: number | undefined
  /** `Retry-After` of the answer. */
  readonly retryAfterSeconds: number | undefined
  /** Whether the request may be sent again without knowing what became of it. */
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

/** How soon a first attempt that still runs is asked for again at the earliest. */
const runningDelayMinimumMs = 1000

/** Answers of the server, or of a proxy before it, that may be different a little later. */
const passing = new Set([502, 503, 504])

/**
 * How long to wait before the next attempt, in milliseconds; undefined: do not try again.
 *
 * A 429 was refused before anything was done, so every call may be repeated. After a lost connection or while
 * something is away, only calls that can be repeated are: reads, and POSTs by their Idempotency-Key.
 *
 * @param random from 0 to 1, to spread clients over the time
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
 * Whether a first attempt of the same POST still runs: the answer is a 409 that says when to come back (REST contract,
 * Idempotency). Nothing has failed then, and the answer is still to come.
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
