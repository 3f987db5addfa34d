import { retryAfterSeconds } from '../outbox/retry-delay.ts'
import { updateServerTime } from './server-clock.ts'

/** Request to the server of the organization. */
export interface AgentRequest {
  /** Origin of the server. */
  readonly serverUrl: string
  /** Path on the server, for example `/agent/v1/policy`. */
  readonly path: string
  /** Bearer token; null if none is needed. */
  readonly credential: string | null
  /** Sent as JSON by POST, compressed. Without a body, the request is a GET. */
  readonly body?: unknown
  /** Known ETag. */
  readonly etag?: string | undefined
}

/** Response of the server. */
export interface AgentResponse {
  readonly status: number
  readonly retryAfterSeconds: number | null
  /** Body as text. */
  readonly text: string
  /** Parsed JSON body; undefined if it is not JSON. */
  readonly body: unknown
}

const timeoutMs = 30_000

/** Minimum length for compression. Shorter bodies cost more than they save. */
const compressFromCharacters = 1024

/**
 * Sends a request to the server. Sends no cookies, treats a redirect as a failure (the credential is for one origin),
 * and uses the response's date to correct the agent's clock.
 *
 * @returns null if there was no response in time
 */
export async function askServer(request: AgentRequest): Promise<AgentResponse | null> {
  const sentMs = Date.now()
  try {
    const response = await fetch(`${request.serverUrl}${request.path}`, {
      ...(await contentOf(request)),
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await response.text()
    const receivedMs = Date.now()
    await updateServerTime(response.headers.get('date'), sentMs, receivedMs)
    return {
      status: response.status,
      retryAfterSeconds: retryAfterSeconds(response.headers.get('retry-after'), receivedMs),
      text,
      body: parsed(text),
    }
  } catch {
    return null
  }
}

async function contentOf({ credential, body, etag }: AgentRequest): Promise<RequestInit> {
  const headers: Record<string, string> = { accept: 'application/json' }
  if (credential !== null) headers.authorization = `Bearer ${credential}`
  if (etag !== undefined) headers['if-none-match'] = etag
  if (body === undefined) return { method: 'GET', headers }
  headers['content-type'] = 'application/json'
  const json = JSON.stringify(body)
  if (json.length < compressFromCharacters) return { method: 'POST', headers, body: json }
  headers['content-encoding'] = 'gzip'
  return { method: 'POST', headers, body: await compressed(json) }
}

async function compressed(text: string): Promise<ArrayBuffer> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Response(stream).arrayBuffer()
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
