import { visibleText } from '@muster/contract/text/visible-text'
import { requestReauthentication } from './reauthentication.ts'
import { recordUse } from './session-tabs.ts'

/** Error response of the server. */
export class ConsoleError extends Error {
  readonly status: number
  readonly code: string
  /** Validation errors by member of the body or query. */
  readonly fieldErrors: readonly { readonly name: string; readonly message: string }[]
  /** Value of `Retry-After`, if the response had one. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    message: string,
    facts: Pick<ConsoleError, 'status' | 'code' | 'fieldErrors' | 'retryAfterSeconds'>,
  ) {
    super(message)
    this.status = facts.status
    this.code = facts.code
    this.fieldErrors = facts.fieldErrors
    this.retryAfterSeconds = facts.retryAfterSeconds
  }
}

/** Dispatches `signedout` when the session has ended and the page must ask for a new sign-in. */
export const sessionEvents = new EventTarget()

let administratorIdOfPage: () => string | undefined = () => undefined

/**
 * Sets the source of the page's administrator ID. It is sent with each request, so the server refuses requests of this
 * page after another administrator has signed in in another tab.
 */
export function setAdministratorIdSource(next: () => string | undefined): void {
  administratorIdOfPage = next
}

export interface RequestOptions {
  readonly body?: unknown
  readonly signal?: AbortSignal
}

/**
 * Sends a request. If the server requires recent re-authentication, asks for it and retries.
 *
 * @throws ConsoleError for error responses, with code `offline` if the server cannot be reached
 */
export async function send<T>(method: string, path: string, sending: RequestOptions = {}): Promise<T> {
  try {
    return await sendOnce<T>(method, path, sending)
  } catch (error) {
    const wanted = error instanceof ConsoleError && error.code === 'reauthentication_required'
    if (!wanted) throw error
    if (await requestReauthentication()) return sendOnce<T>(method, path, sending)
    throw new ConsoleError('Canceled because you did not confirm your identity. Try again.', error)
  }
}

async function sendOnce<T>(method: string, path: string, { body, signal }: RequestOptions): Promise<T> {
  const headers: Record<string, string> = { accept: 'application/json' }
  if (method !== 'GET') headers['x-muster-console'] = '1'
  if (body !== undefined) headers['content-type'] = 'application/json'
  const administratorId = administratorIdOfPage()
  if (administratorId !== undefined) headers['x-muster-administrator'] = administratorId
  const response = await fetch(path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw unreachable()
  })
  recordUse()
  if (response.ok) return parsed(await response.text()) as T
  const error = await errorOf(response)
  if (error.code === 'signed_out') sessionEvents.dispatchEvent(new Event('signedout'))
  throw error
}

/**
 * Parses a response. Control characters and text-direction controls in reported texts are replaced by a visible form
 * such as `\u202e`.
 */
const parsed = (json: string): unknown =>
  JSON.parse(json, (_, value: unknown) => (typeof value === 'string' ? visibleText(value) : value))

const unreachable = () =>
  new ConsoleError('The server cannot be reached. Check your connection and try again.', {
    status: 0,
    code: 'offline',
    fieldErrors: [],
    retryAfterSeconds: undefined,
  })

/** Shown after the next sign-in, next to the action that failed. */
const ended = 'Your session had expired, so nothing was changed. Try again.'

async function errorOf(response: Response): Promise<ConsoleError> {
  const problem = (await response
    .text()
    .then(parsed)
    .catch(() => ({}))) as {
    code?: string
    detail?: string
    errors?: { name: string; message: string }[]
  }
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  const detail = problem.code === 'signed_out' ? ended : problem.detail
  return new ConsoleError(detail ?? `The server returned an error (${response.status}). Try again.`, {
    status: response.status,
    code: problem.code ?? 'internal',
    fieldErrors: problem.errors ?? [],
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
  })
}

/** Matches browser errors for a chunk that could not be loaded. */
const partNotLoaded = /dynamically imported module|module script failed/i

/** Returns the message to show for any error. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return 'Something went wrong. Try again.'
  if (!partNotLoaded.test(error.message)) return error.message
  return 'Part of the console could not be loaded. Check your connection and try again.'
}
