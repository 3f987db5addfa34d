import type { Problem } from '@muster/contract/api/api'

/** Details of an error. */
export interface MusterErrorOptions extends ErrorOptions {
  /** The request's. */
  readonly idempotencyKey?: string | undefined
}

/** Base of everything that the client throws for what a server did or did not do. No message holds the API key. */
export class MusterError extends Error {
  override readonly name: string = 'MusterError'
  /**
   * The Idempotency-Key that a POST was sent with, the caller's or the client's own; undefined for every other call.
   * The same call with it is the same request: what was done, or is being done still, is not done again.
   */
  readonly idempotencyKey: string | undefined

  constructor(message: string, { idempotencyKey, ...options }: MusterErrorOptions = {}) {
    super(message, options)
    this.idempotencyKey = idempotencyKey
  }
}

/** The server refuses: an answer in `application/problem+json`, as the API declares it. */
export class MusterApiError extends MusterError {
  override readonly name = 'MusterApiError'
  /** The whole answer. */
  readonly problem: Problem

  constructor(problem: Problem, options?: MusterErrorOptions) {
    super(`${problem.detail} (${problem.status} ${problem.code}, request ${problem.requestId})`, options)
    this.problem = problem
  }

  /** The HTTP status. */
  get status(): number {
    return this.problem.status
  }

  /** The kind of error, for programs: it never changes. A newer server may have kinds that are not in the type. */
  get code(): Problem['code'] {
    return this.problem.code
  }

  /** Every mistake in the request; empty unless the status is 400. */
  get mistakes(): NonNullable<Problem['errors']> {
    return this.problem.errors ?? []
  }

  /** Names the request in the server's log. */
  get requestId(): string {
    return this.problem.requestId
  }
}

/** The server cannot be reached, or the connection was lost before the answer had come. `cause` says why. */
export class MusterConnectionError extends MusterError {
  override readonly name = 'MusterConnectionError'
}

/** The response is not from this API: a proxy page, a redirect, or another records member. */
export class MusterAnswerError extends MusterError {
  override readonly name = 'MusterAnswerError'
  /** The HTTP status. */
  readonly status: number

  constructor(status: number, message: string, options?: MusterErrorOptions) {
    super(message, options)
    this.status = status
  }
}

/** True if a response is a problem of the API. */
export const isProblem = (body: unknown): body is Problem => {
  if (typeof body !== 'object' || body === null) return false
  const { status, code, detail, requestId } = body as Partial<Record<keyof Problem, unknown>>
  return (
    typeof status === 'number' &&
    [code, detail, requestId].every((text) => typeof text === 'string' && text !== '')
  )
}
