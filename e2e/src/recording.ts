import type { IncomingMessage } from 'node:http'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

/** Request as sent, with its body decompressed. */
export interface RecordedRequest {
  readonly method: string
  readonly host: string
  /** Path and query as sent. */
  readonly target: string
  readonly headers: string
  readonly body: string
}

const unpackers: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
}

/** Reads a request body to its end. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/**
 * Returns the record of a request.
 *
 * @throws for an unknown content encoding, because the body could then not be searched
 */
export function recorded(request: IncomingMessage, body: Buffer): RecordedRequest {
  const encoding = request.headers['content-encoding']
  const unpack = encoding === undefined ? (bytes: Buffer) => bytes : unpackers[encoding]
  if (unpack === undefined) throw new Error(`Unknown content encoding ${encoding}`)
  return {
    method: request.method ?? '',
    host: request.headers.host ?? '',
    target: request.url ?? '',
    headers: request.rawHeaders.join('\n'),
    body: (body.length === 0 ? body : unpack(body)).toString('utf8'),
  }
}
