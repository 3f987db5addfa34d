import { ApiError } from '@muster/contract/api/errors'
import type { FastifyRequest } from 'fastify'

/** Custom request header. Other sites would need a CORS preflight to send it, which is never answered. */
const consoleHeader = 'x-muster-console'

/**
 * Refuses cross-site requests. Requests that change something must come from the console page and carry its header.
 *
 * @param publicUrl public base URL; a proxy may have changed the request's host
 * @throws ApiError cross_site_request
 */
export function requireSameOrigin(request: FastifyRequest, publicUrl: string): void {
  const { origin, host, 'sec-fetch-site': site } = request.headers
  const reads = request.method === 'GET' || request.method === 'HEAD'
  // `none`: entered by the user, or a saved download.
  if (site !== undefined && site !== 'same-origin' && !(reads && site === 'none')) throw refused()
  const own = [publicUrl, `${request.protocol}://${host}`]
  if (origin !== undefined && !own.includes(origin)) throw refused()
  if (reads) return
  if (origin === undefined && site === undefined) throw refused()
  if (request.headers[consoleHeader] !== '1') throw refused()
}

const refused = (): ApiError =>
  new ApiError('cross_site_request', 'Only the console page may make this request. Reload it and try again.')
