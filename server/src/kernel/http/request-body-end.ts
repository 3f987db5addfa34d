import { finished } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Delays an error response that closes the connection until the request body was received. Many clients read the response only
 * after they have sent the body; on a closed connection they would get a broken pipe instead. The request timeout limits the
 * wait.
 */
export function afterRequestBody(request: FastifyRequest, reply: FastifyReply, send: () => void): void {
  const closesConnection = reply.getHeader('connection') === 'close' || !reply.raw.shouldKeepAlive
  if (!closesConnection || request.raw.complete || !announcesBody(request)) {
    send()
    return
  }
  request.raw.resume()
  finished(request.raw, { writable: false }, send)
}

/** Removes the content type of an empty body: PowerShell and curl send that of a form with an empty POST. */
export function withoutEmptyType(request: FastifyRequest): void {
  if (!announcesBody(request)) delete request.raw.headers['content-type']
}

function announcesBody({ raw }: FastifyRequest): boolean {
  return raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length'] ?? 0) > 0
}
