import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { batchUnpackedBytesMaximum, eventsPerBatchMaximum } from '@muster/contract/agent/agent-event'
import { ApiError, invalidRequest } from '@muster/contract/api/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parseJson } from '../../kernel/http/body.ts'

const gunzipAsync = promisify(gunzip)

/**
 * Accepts JSON bodies, plain or gzip-compressed. Decompression runs off the main thread and stops at the
 * maximum size; the body limit of the route applies to the compressed size.
 */
export function acceptGzip(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, readBody)
}

async function readBody(request: FastifyRequest, body: string | Buffer): Promise<Buffer> {
  const charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(request.headers['content-type'] ?? '')?.[1]
  const encoding = (request.headers['content-encoding'] ?? 'identity').toLowerCase()
  const known = encoding === 'identity' || encoding === 'gzip'
  if (!known || (charset !== undefined && !/^utf-?8$/i.test(charset))) {
    const detail = 'The body must be JSON in UTF-8, plain or gzip-compressed.'
    throw new ApiError('unsupported_media_type', detail)
  }
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  return encoding === 'gzip' ? decompress(bytes) : bytes
}

async function decompress(body: Buffer): Promise<Buffer> {
  try {
    return await gunzipAsync(body, { maxOutputLength: batchUnpackedBytesMaximum })
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') {
      const detail = `The decompressed body is larger than ${batchUnpackedBytesMaximum} bytes.`
      throw new ApiError('payload_too_large', detail, { cause: error })
    }
    throw invalidRequest([
      { in: 'body', name: 'body', message: 'must be gzip data, as content-encoding says' },
    ])
  }
}

/**
 * Returns the events of a batch, not validated yet.
 *
 * @throws ApiError invalid_request if the body is not `{"events": […]}` with 1 to 500 events
 */
export function readBatch(bytes: Buffer): readonly unknown[] {
  const mistake = (name: string, message: string) => invalidRequest([{ in: 'body', name, message }])
  if (bytes.length === 0) throw mistake('body', 'is required: a JSON object')
  const body = parseJson(bytes)
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw mistake('body', 'must be an object')
  const { events, ...others } = body as Record<string, unknown>
  const [other] = Object.keys(others)
  if (other !== undefined)
    throw mistake(other.slice(0, 100), 'is not a member of this object; it takes events')
  if (!Array.isArray(events)) throw mistake('events', 'is required: a list of events')
  if (events.length < 1 || events.length > eventsPerBatchMaximum)
    throw mistake('events', `must have 1 to ${eventsPerBatchMaximum} elements`)
  return events
}
