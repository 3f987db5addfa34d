import { finished } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Sends a refusal once the client has been heard out, if the connection ends with it. Many clients read only when
 * they have sent all of their body: on a connection that was closed meanwhile they would find a broken pipe in place
 * of the answer. How long a client is heard is bounded by the time that a request may take.
 */
export function afterRequestBody(request: FastifyRequest, reply: FastifyReply, send: () => void): void {
  const ends = reply.getHeader('connection') === 'close' || !reply.raw.shouldKeepAlive
  if (!ends || request.raw.complete || !announcesBody(request)) {
    send()
    return
  }
  request.raw.resume()
  finished(request.raw, { writable: false }, send)
}

/** A type of nothing is not heeded: PowerShell and curl name that of a form in a POST by which they send nothing. */
export function withoutEmptyType(request: FastifyRequest): void {
  if (!announcesBody(request)) delete request.raw.headers['content-type']
}

function announcesBody({ raw }: FastifyRequest): boolean {
  return raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length'] ?? 0) > 0
}
