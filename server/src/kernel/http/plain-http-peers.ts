import { isIP, type Socket } from 'node:net'
import { ApiError } from '@muster/contract/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { familyOf, loopbackNetworks, networks } from '../lib/net/address-class.ts'
import { probePaths } from './health.ts'

/**
 * Tells of the address of a peer whether it may talk to us without TLS: this machine itself, and the proxies that are
 * trusted to end TLS for us. An IPv4 address is the same one within IPv6 (`::ffff:10.0.0.1`), as sockets for both show it.
 */
export function plainHttpPeerFilter(trustProxy: boolean | readonly string[]): (address: string) => boolean {
  const known = networks(...loopbackNetworks, ...(typeof trustProxy === 'boolean' ? [] : trustProxy))
  return (peer) => {
    // A link-local address comes with the interface it was met on: fe80::1%eth0.
    const [address = ''] = peer.split('%')
    return trustProxy === true || (isIP(address) !== 0 && known.check(address, familyOf(address)))
  }
}

/**
 * Refuses requests over plain HTTP of peers that may not talk so, before anything of them is looked at. Probes are
 * answered to anybody: they show no key, and come from wherever a load balancer's network has its own.
 *
 * A peer is judged once, when it connects.
 */
export function rejectUntrustedPeers(app: FastifyInstance, may: (address: string) => boolean): void {
  const strangers = new WeakSet<Socket>()
  app.server.prependListener('connection', (socket: Socket) => {
    if (!may(socket.remoteAddress ?? '')) strangers.add(socket)
  })
  app.addHook('onRequest', (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) => {
    const isRefused =
      strangers.has(request.raw.socket) && !probePaths.includes(request.routeOptions.url ?? '')
    done(isRefused ? stranger() : undefined)
  })
}

function stranger(): ApiError {
  const message =
    'This server answers over plain HTTP only to its own machine and to the proxy in front of it: use the address of that proxy, by HTTPS. If this came from the proxy, its address is missing in MUSTER_TRUST_PROXY.'
  return new ApiError('https_required', message, { mistakes: [], headers: { connection: 'close' } })
}
