/**
 * All errors of the API. Each code includes its status (REST contract, Errors).
 */
export const errorCatalog = {
  invalid_request: {
    status: 400,
    title: 'The request is invalid',
    help: 'Something in the path, the query, the headers or the body is missing or incorrect. `errors` lists every mistake with its place and what would be right. Correct all of them and send the request again.',
  },
  https_required: {
    status: 400,
    title: 'HTTPS is required',
    help: 'All calls must use HTTPS: start the URL with `https://`. A proxy in front of the server must set `X-Forwarded-Proto: https`, and the server must be configured to trust it.',
  },
  unauthenticated: {
    status: 401,
    title: 'The API key or credential is missing or not valid',
    help: 'Send an API key in the `x-api-key` header. The answer is the same for a key that is missing, malformed, unknown, expired or revoked. Make a new key with `muster keys create` if in doubt. A browser sends its credential as a bearer token; one that is not taken any more has to be enrolled again.',
  },
  read_only_key: {
    status: 403,
    title: 'The API key may only read',
    help: 'A `Read only` key permits GET requests only. Use a key with the permission `Full access` for calls that change something.',
  },
  signed_out: {
    status: 401,
    title: 'Nobody is signed in',
    help: 'The console session has expired, or there was none. Sign in again.',
  },
  sign_in_failed: {
    status: 401,
    title: 'The credentials are not valid',
    help: 'The e-mail address or password is wrong, or the code, passkey or link is not valid. The response is the same in all cases.',
  },
  role_too_low: {
    status: 403,
    title: 'Your role does not permit this',
    help: 'An owner of the organization can give you another role in the console.',
  },
  reauthentication_required: {
    status: 403,
    title: 'Prove once more who you are',
    help: 'Sensitive actions in the console require a sign-in or re-authentication within the last ten minutes.',
  },
  cross_site_request: {
    status: 403,
    title: 'The request did not come from the console',
    help: 'Requests from other sites, or without the header of the console, are refused. Reload the page.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    help: 'The path or the ID does not exist in your organization, or the value to remove does not exist. See `detail`.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The method is not allowed for this path',
    help: 'The `Allow` header lists the allowed methods.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long to arrive',
    help: 'The headers or the body were not received in time. Send the request again.',
  },
  conflict: {
    status: 409,
    title: 'The request conflicts with existing data',
    help: 'For example, an e-mail address is already in use, or a request with the same Idempotency-Key is still running. `detail` says which.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    help: 'Bodies may have 1 MiB, those of `POST /v1/controls/stolenCredentials` 8 MiB. Send the content in several requests.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body is not JSON',
    help: 'Send bodies as `content-type: application/json`, in UTF-8 and not compressed.',
  },
  idempotency_mismatch: {
    status: 422,
    title: 'The Idempotency-Key was used for another request',
    help: 'Within 24 hours an Idempotency-Key stands for one request: the same path and the same body. Use a new key for a new request.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    help: 'By default a user may make 10 requests per second over all keys, and 10 more for a short while; `RateLimit-Policy` says how many here. Wait for the seconds that `Retry-After` names, then go on with exponential backoff.',
  },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    help: 'The request line and all headers together may have 16 KiB.',
  },
  internal: {
    status: 500,
    title: 'Something went wrong on the server',
    help: 'The request was not processed. Nothing was changed. Give the `requestId` to the people who run the server: it names the entry in their log.',
  },
  unavailable: {
    status: 503,
    title: 'The store cannot be reached',
    help: 'Nothing was changed, unless `detail` says that this is not known. Wait for the seconds that `Retry-After` names and send it again; a POST with its `Idempotency-Key`, so that it is done once.',
  },
} as const satisfies Record<string, { status: number; title: string; help: string }>

export type ErrorCode = keyof typeof errorCatalog

/** A validation error: location, name and expected value. */
export interface Mistake {
  in: 'query' | 'path' | 'body' | 'header'
  name: string
  message: string
}

/**
 * An error for the caller. `detail` is sent unchanged, so it must not contain anything internal or anything of another
 * organization.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly mistakes: readonly Mistake[]
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    detail: string,
    more: { mistakes?: readonly Mistake[]; headers?: Readonly<Record<string, string>>; cause?: unknown } = {},
  ) {
    super(detail, { cause: more.cause })
    this.code = code
    this.mistakes = more.mistakes ?? []
    this.headers = more.headers ?? {}
  }

  get status(): number {
    return errorCatalog[this.code].status
  }
}

/** Maximum number of listed validation errors. */
export const mistakesMaximum = 1000
/** Slightly less than the maximum length of `detail`. */
const detailMaximum = 3900

/** Creates one 400 error for all validation errors of a request. The text is shortened if there are many. */
export const invalidRequest = (mistakes: readonly Mistake[]): ApiError =>
  new ApiError('invalid_request', detailOf(mistakes), { mistakes: mistakes.slice(0, mistakesMaximum) })

function detailOf(mistakes: readonly Mistake[]): string {
  let detail = ''
  for (const { name, message } of mistakes) {
    const next = `${detail === '' ? '' : `${detail}; `}${name} ${message}`
    if (detail !== '' && next.length > detailMaximum) return `${detail}; and more`
    detail = next
  }
  return detail
}

/** Creates a 404 error. */
export const notFound = (detail: string = errorCatalog.not_found.title): ApiError =>
  new ApiError('not_found', `${detail}.`)
