import { once } from 'node:events'
import {
  createServer as createHttp,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { createServer as createHttps } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { gunzipSync } from 'node:zlib'

/** Received request, decompressed. */
export interface SinkRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Answer of a receiver. `reset` closes the connection, `cut` does so within the answer, `hang` never answers. */
export type SinkAnswer =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown }
  | 'reset'
  | 'cut'
  | 'hang'

export interface SinkReceiver {
  /** `http://127.0.0.1:41234`, `https://localhost:41234` */
  readonly url: string
  readonly requests: SinkRequest[]
  /** Largest number of requests at the same time. */
  mostAtOnce(): number
  /** Next answers instead of the usual ones, in their order. */
  readonly faults: SinkAnswer[]
  /** Time before each answer. */
  delayMs: number
  /** IDs of the events that it has stored, in their order and as often as they came. */
  readonly ids: string[]
  close(): Promise<void>
}

/** Behavior of a receiver: stores the IDs of events and answers. */
export type SinkBehavior = (request: SinkRequest, stored: string[]) => SinkAnswer

/** Starts a receiver on a free port of 127.0.0.1, with TLS if a certificate is given. Close it when done. */
export async function startSinkReceiver(
  behave: SinkBehavior,
  certificate?: { readonly cert: string; readonly key: string },
): Promise<SinkReceiver> {
  const sockets = new Set<Socket>()
  let atOnce = 0
  let mostAtOnce = 0
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    atOnce += 1
    mostAtOnce = Math.max(mostAtOnce, atOnce)
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer)
    } catch {
      return
    }
    const body = Buffer.concat(chunks)
    const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString()
    const received = { path: request.url ?? '', headers: request.headers, text }
    receiver.requests.push(received)
    const answer = receiver.faults.shift() ?? behave(received, receiver.ids)
    const send = () => {
      atOnce -= 1
      if (answer === 'hang') return
      if (answer === 'reset') return void request.socket.resetAndDestroy()
      if (answer === 'cut')
        return void response
          .writeHead(200, { 'content-length': 100 })
          .write('{"text":', () => request.socket.destroy())
      const { status, headers = {}, body: content } = answer
      response.writeHead(status, headers)
      response.end(content === undefined ? '' : JSON.stringify(content))
    }
    if (receiver.delayMs > 0) setTimeout(send, receiver.delayMs)
    else send()
  }
  const server = certificate ? createHttps({ ...certificate }, handle) : createHttp(handle)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const receiver: SinkReceiver = {
    url: certificate ? `https://localhost:${port}` : `http://127.0.0.1:${port}`,
    requests: [],
    mostAtOnce: () => mostAtOnce,
    faults: [],
    delayMs: 0,
    ids: [],
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '')

/**
 * Splunk HTTP Event Collector with its answers. Without `acks`, acknowledgment is off for the token. Otherwise a batch is
 * acknowledged after a number of questions, and never on a channel that was lost in a restart.
 */
export function splunkBehavior(options: {
  token: string
  acks?: { after: number; lost?: ReadonlySet<string> }
  refused?: Set<string>
}): SinkBehavior {
  const channels = new Map<unknown, { sent: number; asked: Map<number, number> }>()
  return ({ path, headers, text }, stored) => {
    const name = headers['x-splunk-request-channel']
    const channel = channels.get(name) ?? { sent: 0, asked: new Map<number, number>() }
    channels.set(name, channel)
    const failure = (status: number, code: number, message: string): SinkAnswer => ({
      status,
      body: { text: message, code },
    })
    if (headers.authorization !== `Splunk ${options.token}`) return failure(403, 4, 'Invalid token')
    if (options.acks && name === undefined) return failure(400, 10, 'Data channel is missing')
    if (path.startsWith('/services/collector/ack')) {
      const { acks } = JSON.parse(text) as { acks: number[] }
      const states = acks.map((id) => {
        const asked = (channel.asked.get(id) ?? 0) + 1
        channel.asked.set(id, asked)
        const isLost = options.acks?.lost?.has(String(name)) === true
        return [id, !isLost && asked > (options.acks?.after ?? 0)]
      })
      return { status: 200, body: { acks: Object.fromEntries(states) } }
    }
    if (path !== '/services/collector/event') return { status: 404, body: { text: 'Not found', code: 404 } }
    const entries = linesOf(text).map((line) => JSON.parse(line) as { event?: { id: string }; time: number })
    if (entries.length === 0) return failure(400, 5, 'No data')
    if (entries.some(({ event }) => !event || options.refused?.has(event.id)))
      return failure(400, 6, 'Invalid data format')
    stored.push(...entries.flatMap(({ event }) => event?.id ?? []))
    const ackId = channel.sent
    channel.sent += 1
    return { status: 200, body: { text: 'Success', code: 0, ...(options.acks && { ackId }) } }
  }
}

/** Bulk API of Elasticsearch. A document that exists is answered with 409, a refused one with 400, others with 429 while full. */
export function elasticBehavior(options: {
  authorization: string
  refused?: Set<string>
  full?: Set<string>
  documents: Map<string, Record<string, unknown>>
}): SinkBehavior {
  return ({ path, headers, text }, stored) => {
    if (headers.authorization !== options.authorization)
      return { status: 401, body: { error: { type: 'security_exception' }, status: 401 } }
    if (!/^\/[^/]+\/_bulk\?/.test(path)) return { status: 405 }
    if (headers['content-type'] !== 'application/x-ndjson') return { status: 406 }
    const lines = linesOf(text)
    if (lines.length === 0)
      return { status: 400, body: { error: { type: 'parse_exception', reason: 'request body is required' } } }
    const items = lines.flatMap((line, at) => {
      if (at % 2 === 1) return []
      const { create } = JSON.parse(line) as { create: { _id: string } }
      const id = create._id
      const failed = (status: number, type: string) => ({ create: { status, error: { type, reason: type } } })
      if (options.refused?.has(id)) return [failed(400, 'document_parsing_exception')]
      if (options.full?.has(id)) return [failed(429, 'es_rejected_execution_exception')]
      if (options.documents.has(id)) return [failed(409, 'version_conflict_engine_exception')]
      options.documents.set(id, JSON.parse(lines[at + 1] ?? '') as Record<string, unknown>)
      stored.push(id)
      return [{ create: { status: 201 } }]
    })
    return { status: 200, body: { errors: items.some(({ create }) => 'error' in create), items } }
  }
}

/** Sign-in service of Microsoft and Logs Ingestion API in one. Tokens are `token-1`, `token-2`, … */
export function sentinelBehavior(options: {
  secret: string
  expired: Set<string>
  issued: string[]
}): SinkBehavior {
  return ({ path, headers, text }, stored) => {
    if (path === '/tenant-1/oauth2/v2.0/token') {
      const form = new URLSearchParams(text)
      if (form.get('client_secret') !== options.secret || form.get('grant_type') !== 'client_credentials')
        return { status: 401, body: { error: 'invalid_client', error_description: 'AADSTS7000215' } }
      const token = `token-${options.issued.length + 1}`
      options.issued.push(token)
      return { status: 200, body: { token_type: 'Bearer', expires_in: 3599, access_token: token } }
    }
    if (path !== '/dataCollectionRules/dcr-1/streams/Custom-Muster_CL?api-version=2023-01-01')
      return { status: 404, body: { error: { code: 'NotFound' } } }
    const token = headers.authorization?.replace('Bearer ', '') ?? ''
    if (!options.issued.includes(token) || options.expired.has(token))
      return { status: 401, body: { error: { code: 'Unauthorized' } } }
    if (text.length > 1_048_576)
      return { status: 413, body: { error: { code: 'ContentLengthLimitExceeded' } } }
    const rows = JSON.parse(text) as { EventId: string; TimeGenerated: string }[]
    if (rows.some(({ TimeGenerated }) => Number.isNaN(Date.parse(TimeGenerated)))) return { status: 400 }
    stored.push(...rows.map(({ EventId }) => EventId))
    return { status: 204 }
  }
}

/** Log intake of Datadog. */
export function datadogBehavior(options: { key: string; refused?: Set<string> }): SinkBehavior {
  return ({ path, headers, text }, stored) => {
    if (path !== '/api/v2/logs') return { status: 404 }
    if (headers['dd-api-key'] !== options.key) return { status: 403, body: { errors: ['Forbidden'] } }
    const logs = JSON.parse(text) as { muster: { id: string } }[]
    if (logs.length > 1000 || text.length > 5_000_000) return { status: 413 }
    if (logs.some(({ muster }) => options.refused?.has(muster.id)))
      return { status: 400, body: { errors: [{ status: '400', title: 'Bad Request' }] } }
    stored.push(...logs.map(({ muster }) => muster.id))
    return { status: 202, body: {} }
  }
}

/** Receiver of lines of JSON that accepts at most so many bytes. */
export function linesBehavior(
  options: { authorization?: string; refused?: Set<string>; maxLength?: number } = {},
): SinkBehavior {
  return ({ headers, text }, stored) => {
    if (headers.authorization !== options.authorization) return { status: 401 }
    if (text.length > (options.maxLength ?? Number.POSITIVE_INFINITY)) return { status: 413 }
    const ids = linesOf(text).map((line) => (JSON.parse(line) as { id: string }).id)
    if (ids.some((id) => options.refused?.has(id))) return { status: 422, body: { error: 'invalid event' } }
    stored.push(...ids)
    return { status: 200, body: {} }
  }
}
