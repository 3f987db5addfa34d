import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { batchUnpackedBytesMaximum, eventsPerBatchMaximum } from '@muster/contract/agent-event'
import { ApiError, invalidRequest } from '@muster/contract/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parseJson } from '../../kernel/http/body.ts'

const unpack = promisify(gunzip)

/**
 * Takes bodies of JSON, as they are or packed by gzip; a packed one is unpacked off the main thread, and no further than
 * it may become. The route's own limit bounds what is on the wire.
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
    const detail = 'The body must be JSON in UTF-8, as it is or packed by gzip.'
    throw new ApiError('unsupported_media_type', detail)
  }
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  return encoding === 'gzip' ? unpacked(bytes) : bytes
}

async function unpacked(body: Buffer): Promise<Buffer> {
  try {
    return await unpack(body, { maxOutputLength: batchUnpackedBytesMaximum })
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') {
      const detail = `The body becomes larger than ${batchUnpackedBytesMaximum} bytes when it is unpacked.`
      throw new ApiError('payload_too_large', detail, { cause: error })
    }
    throw invalidRequest([{ in: 'body', name: 'body', message: 'must be what content-encoding names: gzip' }])
  }
}

/**
 * The events of a batch, none of them looked at yet.
 *
 * @throws ApiError invalid_request when the body is not `{"events": […]}` with 1 to 500 of them
 */
export function readBatch(bytes: Buffer): readonly unknown[] {
  const wrong = (name: string, message: string) => invalidRequest([{ in: 'body', name, message }])
  if (bytes.length === 0) throw wrong('body', 'is required: a JSON object')
  const body = parseJson(bytes)
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw wrong('body', 'must be an object')
  const { events, ...others } = body as Record<string, unknown>
  const [other] = Object.keys(others)
  if (other !== undefined) throw wrong(other.slice(0, 100), 'is not a member of this object; it takes events')
  if (!Array.isArray(events)) throw wrong('events', 'is required: a list of events')
  if (events.length < 1 || events.length > eventsPerBatchMaximum)
    throw wrong('events', `must have 1 to ${eventsPerBatchMaximum} elements`)
  return events
}
