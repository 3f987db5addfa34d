import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Logger } from 'pino'

/** Streamed download. */
export interface SentFile {
  /** Name of the file. Characters that a header or a file name may not contain are replaced. */
  readonly name: string
  /** Content type without charset. */
  readonly type: string
  readonly parts: AsyncIterable<string>
}

/**
 * Sends a download. A failure after the first part is logged and aborts the connection, so the client does not accept a
 * truncated file.
 */
export const sendFile = (reply: FastifyReply, log: Logger, { name, type, parts }: SentFile): FastifyReply =>
  reply
    .header('content-type', `${type}; charset=utf-8`)
    .header('content-disposition', `attachment; filename="${name.replace(/[^\w.-]/g, '_')}"`)
    .send(
      Readable.from(
        encoded(parts, (err) =>
          log.error({ err, requestId: reply.request.id, file: name }, 'a download was aborted'),
        ),
      ),
    )

/**
 * Encodes the parts as bytes. With strings, Node's HTTP response counts bytes but its socket counts characters. A part
 * can exceed the limit of one and not of the other; the response then waits forever for a `drain` event.
 */
async function* encoded(
  parts: AsyncIterable<string>,
  onFailure: (error: unknown) => void,
): AsyncGenerator<Buffer> {
  try {
    for await (const part of parts) yield Buffer.from(part)
  } catch (error) {
    onFailure(error)
    throw error
  }
}
