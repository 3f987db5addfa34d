import { retryAfterSeconds } from '../outbox/retry-delay.ts'
import { learnServerTime } from './server-clock.ts'

/** A question to the server of the organization. */
export interface AgentRequest {
  /** Origin of the server. */
  readonly serverUrl: string
  /** Path below it, for example `/agent/v1/policy`. */
  readonly path: string
  /** The bearer token; null where none is asked for. */
  readonly credential: string | null
  /** Sent as JSON by POST, compressed; a GET without it. */
  readonly body?: unknown
  /** An ETag that is known already. */
  readonly etag?: string | undefined
}

/** What came back. */
export interface AgentResponse {
  readonly status: number
  readonly retryAfterSeconds: number | null
  /** The body as text. */
  readonly text: string
  /** The body as JSON; undefined if it is none. */
  readonly body: unknown
}

const timeoutMs = 30_000

/** Below this, compressing saves less than it costs. */
const compressFromCharacters = 1024

/**
 * Asks the server. No cookie goes with it, a redirect is a failure (the credential is for one origin), and the
 * time of the answer corrects the agent's clock.
 *
 * @returns null if nobody answered in time
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
    await learnServerTime(response.headers.get('date'), sentMs, receivedMs)
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
