import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Logger } from 'pino'

/** A file that is produced while it is sent. */
export interface SentFile {
  readonly name: string
  /** Content type without its charset. */
  readonly type: string
  readonly parts: AsyncIterable<string>
}

/**
 * Sends a file to be saved. A failure after the first part breaks the connection off, so that the client does not take
 * what it has for the whole file, and is logged.
 */
export const sendFile = (reply: FastifyReply, log: Logger, { name, type, parts }: SentFile): FastifyReply =>
  reply
    .header('content-type', `${type}; charset=utf-8`)
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(
      Readable.from(
        encoded(parts, (err) =>
          log.error({ err, requestId: reply.request.id, file: name }, 'a file broke off'),
        ),
      ),
    )

/**
 * Encodes the parts as bytes. Node must not be given strings: its HTTP response counts their bytes and its socket their
 * characters, so a part can be too large for the one and not for the other. The response then waits for a `drain` event
 * that the socket never emits, and hangs.
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
