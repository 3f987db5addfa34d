import { ApiError } from '@muster/contract/errors'
import type { FastifyRequest } from 'fastify'

/** Only a script of the page itself can set it: other sites would have to ask first, and are not answered. */
export const consoleHeader = 'x-muster-console'

/**
 * Refuses requests that other sites make in the name of who is signed in. Browsers say where a request comes from; one
 * that changes something must come from the console's own page, and carry its header.
 *
 * @param publicUrl where people reach the server; a proxy may have put another host into the request
 * @throws ApiError cross_site_request
 */
export function requireSameOrigin(request: FastifyRequest, publicUrl: string): void {
  const { origin, host, 'sec-fetch-site': site } = request.headers
  const reads = request.method === 'GET' || request.method === 'HEAD'
  // `none`: typed by the person, or a file that they save.
  if (site !== undefined && site !== 'same-origin' && !(reads && site === 'none')) throw refused()
  const own = [publicUrl, `${request.protocol}://${host}`]
  if (origin !== undefined && !own.includes(origin)) throw refused()
  if (reads) return
  if (origin === undefined && site === undefined) throw refused()
  if (request.headers[consoleHeader] !== '1') throw refused()
}

const refused = (): ApiError =>
  new ApiError(
    'cross_site_request',
    'Only the page of the console may make this request. Reload it and try again.',
  )
