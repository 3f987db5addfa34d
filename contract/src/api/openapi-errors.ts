import { Problem } from './api.ts'
import { type ErrorCode, errorCatalog } from './errors.ts'
import type { SchemaRegistry } from './openapi-components.ts'

const header = (description: string, example: string | number, maxLength = 256) => ({
  description,
  schema:
    typeof example === 'number'
      ? { type: 'integer', minimum: 0 }
      : { type: 'string', minLength: 1, maxLength },
  example,
})

/** The headers of answers (REST contract, Rate limit and Errors). */
export const headerComponents = {
  'x-request-id': header(
    'ID of the request in the server log. An ID sent by the client is kept if it has 1–64 characters of `[A-Za-z0-9._-]`.',
    '01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90',
    64,
  ),
  'RateLimit-Policy': header(
    'The rate limit: requests per second and burst, per user.',
    '"user";q=10;w=1;burst=10',
  ),
  RateLimit: header(
    'Number of remaining requests, and seconds until one more is available.',
    '"user";r=19;t=1',
  ),
  'Retry-After': header('Number of seconds to wait before the next request.', 1),
  'WWW-Authenticate': header('Required authentication scheme.', 'ApiKey'),
  Link: header(
    'Address of the next page, with `rel="next"`. Absent on the last page. While the version is deprecated, every answer has links with `rel="deprecation"` and `rel="sunset"` as well.',
    '<https://muster.example.com/v1/apps?limit=100&nextToken=…>; rel="next"',
    65_536,
  ),
  'Idempotency-Replayed': header('`true` if this repeats the first response to the same request.', 'true'),
}

type HeaderName = keyof typeof headerComponents

export const headers = (...names: HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const rateLimitHeaders: HeaderName[] = ['x-request-id', 'RateLimit-Policy', 'RateLimit']

export const successHeaders = headers(...rateLimitHeaders)

const headersOfError = (code: ErrorCode) => {
  if (code === 'unauthenticated') return headers('x-request-id', 'WWW-Authenticate')
  if (code === 'rate_limited' || code === 'unavailable') return headers(...rateLimitHeaders, 'Retry-After')
  return successHeaders
}

/** Example of an error. `type` is its page in the served docs. */
export const problemExample = (code: ErrorCode, serverUrl: string) => {
  const { status, title } = errorCatalog[code]
  const detail = code === 'invalid_request' ? 'limit must be between 1 and 1000' : `${title}.`
  return {
    type: `${serverUrl}/docs/errors/${code}`,
    title,
    status,
    detail,
    code,
    requestId: '01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90',
    message: detail,
    ...(code === 'invalid_request' && {
      errors: [{ in: 'query', name: 'limit', message: 'must be between 1 and 1000' }],
    }),
  }
}

/** The answer with an error, for `components.responses`. */
export const errorResponse = (code: ErrorCode, serverUrl: string, registry: SchemaRegistry) => ({
  description: `${errorCatalog[code].title}. ${errorCatalog[code].help}`,
  headers: headersOfError(code),
  content: {
    'application/problem+json': { schema: registry.use(Problem), example: problemExample(code, serverUrl) },
  },
})
