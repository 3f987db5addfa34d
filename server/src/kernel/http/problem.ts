import type { IncomingMessage } from 'node:http'
import { ApiError, type ErrorCode, errorCatalog, type Mistake } from '@muster/contract/api/errors'

/** Error response: `application/problem+json` (RFC 9457; REST contract, Errors). */
export interface ProblemAnswer {
  status: number
  headers: Readonly<Record<string, string>>
  body: string
}

export const problemType = 'application/problem+json; charset=utf-8'

/** Renders an error. `docsUrl` is the base URL of the error pages. */
export function renderProblem(error: ApiError, requestId: string, docsUrl: string): ProblemAnswer {
  const { title, status } = errorCatalog[error.code]
  const problem: Record<string, unknown> = {
    type: `${docsUrl}/errors/${error.code}`,
    title,
    status,
    detail: error.message.slice(0, 4000),
    code: error.code,
    requestId,
    message: error.message.slice(0, 4000),
  }
  if (status === 400) problem.errors = error.mistakes satisfies readonly Mistake[]
  return { status, headers: error.headers, body: JSON.stringify(problem) }
}

/** Translations of Fastify's errors, whose texts are not meant for callers. */
const fastifyErrors: Readonly<Record<string, { code: ErrorCode; detail: string }>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: {
    code: 'payload_too_large',
    detail: 'The body is too large for this call.',
  },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'unsupported_media_type',
    detail: 'The body must be sent as content-type: application/json.',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: 'invalid_request',
    detail: 'The length of the body does not match Content-Length.',
  },
  // Raised for the method QUERY, which no path supports.
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: {
    code: 'not_found',
    detail: 'There is nothing at this path.',
  },
}

/** Returns true if the client disconnected before the end of the body, which is not a server error. */
export const isBodyAborted = (thrown: unknown, request: IncomingMessage): boolean =>
  request.readableAborted && (thrown as { code?: unknown }).code === 'ECONNRESET'

/** Returns the error for an incomplete body. */
export const incompleteBody = (cause: unknown): ApiError => {
  const message = 'must be complete'
  return new ApiError('invalid_request', `body ${message}`, {
    mistakes: [{ in: 'body', name: 'body', message }],
    cause,
  })
}

/** Converts anything thrown to an API error; unknown errors become `internal`. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  const { code, name } = thrown as { code?: string; name?: string }
  const known = code === undefined ? undefined : fastifyErrors[code]
  if (known) {
    const mistakes: Mistake[] =
      known.code === 'invalid_request' ? [{ in: 'body', name: 'body', message: known.detail }] : []
    return new ApiError(known.code, known.detail, { mistakes, cause: thrown })
  }
  if (name === 'StoreUnavailableError') {
    const { mayBeDone, reason = 'The database is unavailable or did not respond in time.' } = thrown as {
      mayBeDone?: boolean
      reason?: string
    }
    const changed = mayBeDone ? 'The change may or may not have been made.' : 'Nothing was changed.'
    return new ApiError('unavailable', `${reason} ${changed}`, {
      headers: { 'retry-after': '5' },
      cause: thrown,
    })
  }
  return new ApiError('internal', 'Something went wrong on the server. Nothing was changed.', {
    cause: thrown,
  })
}
