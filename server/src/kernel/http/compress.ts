import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

const gzipAsync = promisify(gzip)

/** Smaller bodies fit into a few packets: compressing them costs more than it saves. */
export const compressFromBytes = 4096

/** Returns true if the client asked for gzip (RFC 9110, section 12.5.3). */
export const acceptsGzip = ({ headers }: FastifyRequest): boolean => {
  const accepted = headers['accept-encoding']
  if (accepted === undefined) return false
  return /(?:^|,)\s*(?:x-)?gzip\s*(?:,|$|;(?!\s*q=0(?:\.0*)?\s*(?:,|$)))/i.test(String(accepted))
}

/** Compresses a body on a thread of Node's pool and sets the headers for it. */
export async function compressed(reply: FastifyReply, body: string | Uint8Array): Promise<Buffer> {
  reply.header('content-encoding', 'gzip').header('vary', 'accept-encoding')
  return gzipAsync(body, { level: constants.Z_BEST_SPEED })
}
