import type { IncomingMessage } from 'node:http'
import { ApiError, type ErrorCode, errorCatalog, type Mistake } from '@muster/contract/errors'

/** An error as it goes out: `application/problem+json` (RFC 9457; REST contract, Errors). */
export interface ProblemAnswer {
  status: number
  headers: Readonly<Record<string, string>>
  body: string
}

export const problemType = 'application/problem+json; charset=utf-8'

/** Renders an error for its caller. `docsUrl` is where the pages of the errors are served. */
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

/** What Fastify's own errors are in our catalog; its texts are not for callers. */
const fastifyErrors: Readonly<Record<string, { code: ErrorCode; detail: string }>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: {
    code: 'payload_too_large',
    detail: 'The body is larger than this call takes.',
  },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'unsupported_media_type',
    detail: 'The body must be sent as content-type: application/json.',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: 'invalid_request',
    detail: 'The body does not have the length that Content-Length names.',
  },
  // Said of QUERY, which no path takes.
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: {
    code: 'not_found',
    detail: 'There is nothing at this path.',
  },
}

/** Whether the client went away before its body had come to its end, which is no failure of the server. */
export const isCutShort = (thrown: unknown, request: IncomingMessage): boolean =>
  request.readableAborted && (thrown as { code?: unknown }).code === 'ECONNRESET'

/** What the client would be told then. */
export const cutShort = (cause: unknown): ApiError => {
  const message = 'must come to its end'
  return new ApiError('invalid_request', `body ${message}`, {
    mistakes: [{ in: 'body', name: 'body', message }],
    cause,
  })
}

/** The error that a caller is told of, for whatever was thrown; what is unknown is `internal`. */
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
    const { mayBeDone, reason = 'The store cannot be reached, or gave no answer in time.' } = thrown as {
      mayBeDone?: boolean
      reason?: string
    }
    const changed = mayBeDone ? 'It is not known whether anything was changed.' : 'Nothing was changed.'
    return new ApiError('unavailable', `${reason} ${changed}`, {
      headers: { 'retry-after': '5' },
      cause: thrown,
    })
  }
  return new ApiError('internal', 'Something went wrong on the server. Nothing was changed.', {
    cause: thrown,
  })
}
