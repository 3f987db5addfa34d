import { isIP, type Socket } from 'node:net'
import { ApiError } from '@muster/contract/api/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { familyOf, loopbackNetworks, networks } from '../lib/net/address-class.ts'
import { probePaths } from './health.ts'

/**
 * Returns a function that decides by address if a peer may use plain HTTP: this machine and trusted proxies. IPv4-mapped IPv6
 * addresses (`::ffff:10.0.0.1`), which dual-stack sockets report, count as IPv4.
 */
export function plainHttpPeerFilter(trustProxy: boolean | readonly string[]): (address: string) => boolean {
  const known = networks(...loopbackNetworks, ...(typeof trustProxy === 'boolean' ? [] : trustProxy))
  return (peer) => {
    // Link-local addresses have a zone: fe80::1%eth0.
    const [address = ''] = peer.split('%')
    return trustProxy === true || (isIP(address) !== 0 && known.check(address, familyOf(address)))
  }
}

/**
 * Rejects plain HTTP requests of peers that are not allowed, before anything else. Probes are always answered: they carry no
 * key, and load balancers send them from various addresses. A peer is checked once, when it connects.
 */
export function rejectUntrustedPeers(app: FastifyInstance, isAllowed: (address: string) => boolean): void {
  const untrustedSockets = new WeakSet<Socket>()
  app.server.prependListener('connection', (socket: Socket) => {
    if (!isAllowed(socket.remoteAddress ?? '')) untrustedSockets.add(socket)
  })
  app.addHook('onRequest', (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) => {
    const isRefused =
      untrustedSockets.has(request.raw.socket) && !probePaths.includes(request.routeOptions.url ?? '')
    done(isRefused ? httpsRequired() : undefined)
  })
}

function httpsRequired(): ApiError {
  const message =
    'This server accepts plain HTTP only from its own machine and from its proxy. Use the HTTPS address of the proxy. If the request came from the proxy, add its address to MUSTER_TRUST_PROXY.'
  return new ApiError('https_required', message, { mistakes: [], headers: { connection: 'close' } })
}
