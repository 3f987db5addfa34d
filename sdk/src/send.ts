import type { CallRequest } from './call-request.ts'
import {
  isProblem,
  MusterAnswerError,
  MusterApiError,
  MusterConnectionError,
  MusterError,
  type MusterErrorOptions,
} from './muster-error.ts'
import { type RetryBounds, readRetryAfter, retryDelayMs, stillRuns } from './retry-plan.ts'

/** Connection settings. */
export interface ClientSettings {
  /** The address without a slash at its end. */
  readonly base: string
  readonly apiKey: string
  readonly fetch: typeof fetch
  /** For how long one attempt may take, in milliseconds. */
  readonly timeoutMs: number
  readonly retry: RetryBounds
  /** Waits between attempts; is rejected with the signal's reason when that ends it. */
  readonly delay: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Maximum wait for a running POST, as a multiple of the attempt timeout. */
const patienceTimeouts = 10

/**
 * Sends a request, again where that helps, and gives the JSON object of its success.
 *
 * @throws MusterApiError, MusterConnectionError, MusterAnswerError, or the reason of the signal
 */
export async function send(
  connection: ClientSettings,
  request: CallRequest,
  signal: AbortSignal | undefined,
): Promise<object> {
  const { repeatable, idempotencyKey } = request
  let patienceMs = patienceTimeouts * connection.timeoutMs
  for (let attempts = 1; ; ) {
    const outcome = await attempt(connection, request, signal)
    if (!(outcome instanceof MusterError) && outcome.status === 200)
      return readSuccess(outcome, { idempotencyKey })
    const failed =
      outcome instanceof MusterError
        ? { status: undefined, retryAfterSeconds: undefined }
        : {
            status: outcome.status,
            retryAfterSeconds: readRetryAfter(outcome.headers.get('retry-after'), Date.now()),
          }
    const failure = { ...failed, repeatable, attempts, patienceMs }
    const delayMs = retryDelayMs(failure, connection.retry, Math.random())
    if (delayMs === undefined)
      throw outcome instanceof MusterError ? outcome : refusal(outcome, { idempotencyKey })
    await connection.delay(delayMs, signal)
    if (stillRuns(failure)) patienceMs -= delayMs
    else attempts += 1
  }
}

/** Makes one attempt. Returns the complete response, or the failure. */
async function attempt(
  { base, apiKey, fetch, timeoutMs }: ClientSettings,
  { method, target, body, idempotencyKey }: CallRequest,
  signal: AbortSignal | undefined,
): Promise<Answer | MusterConnectionError> {
  signal?.throwIfAborted()
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(`${base}${target}`, {
      method,
      headers: {
        accept: 'application/json',
        'x-api-key': apiKey,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body }),
      // The key must not be sent to another address.
      redirect: 'manual',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (cause) {
    signal?.throwIfAborted()
    const reason = timeout.aborted ? `no answer in ${timeoutMs} ms` : 'the connection failed'
    return new MusterConnectionError(`${method} ${target.split('?')[0]}: ${reason}`, {
      cause,
      idempotencyKey,
    })
  }
}

function readSuccess({ status, text }: Answer, options: MusterErrorOptions): object {
  const body = parse(text)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new MusterAnswerError(
      status,
      'The answer is not a JSON object: is this the address of Muster?',
      options,
    )
  }
  return body
}

function refusal({ status, headers, text }: Answer, options: MusterErrorOptions): MusterError {
  const body = parse(text)
  if (isProblem(body)) return new MusterApiError(body, options)
  const redirected = status === 0 || (status >= 300 && status < 400)
  return new MusterAnswerError(
    status,
    redirected
      ? `The address redirects to ${headers.get('location') ?? 'another one'}: name the right one in baseUrl.`
      : `Something that is not Muster answered, with status ${status}: is baseUrl right, and a proxy in between?`,
    options,
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
