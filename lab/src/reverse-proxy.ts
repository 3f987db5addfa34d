import { once } from 'node:events'
import { request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { type RecordedRequest, recorded } from '../../e2e/src/recording.ts'
import type { SiteServer } from '../../e2e/src/site-server.ts'
import type { CertificatePair } from '../../server/src/kernel/http/self-signed.ts'
import type { Conditions } from './lab-product.ts'

/** Web server of the lab: terminates TLS and forwards each host to the port of its product. */
export interface ReverseProxy extends SiteServer {
  /** Maps a host and its subdomains to a local port; undefined removes the mapping. */
  lead(host: string, port: number | undefined): void
  /** Returns the hosts that are mapped to a product. */
  hosts(): string[]
  /** Delays responses until it is called again. */
  slow(delay: Conditions['delay']): void
}

/** Path at which every host serves a page without scripts. */
export const blankPath = '/.lab/blank'

const neutralPage = `<!doctype html><html lang="en"><title>Acme Works</title><link rel="icon" href="data:,">
<h1>Acme Works</h1><p>Nothing to sign in to here.</p></html>`

export async function openReverseProxy(certificate: CertificatePair): Promise<ReverseProxy> {
  const ports = new Map<string, number>()
  const requests: RecordedRequest[] = []
  let delay: Conditions['delay']
  const portOf = (host: string): number | undefined =>
    ports.get(host) ?? (host.includes('.') ? portOf(host.slice(host.indexOf('.') + 1)) : undefined)
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    // Bodies belong to the product, so only addresses and headers are kept.
    requests.push(recorded(incoming, Buffer.alloc(0)))
    const port = portOf(requestHost(incoming))
    if (port === undefined || incoming.url === blankPath) {
      outgoing.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(neutralPage)
      return
    }
    if (delay?.matches.test(`${incoming.method} ${incoming.url}`)) await wait(delay.ms)
    const onward = forward({
      port,
      host: '127.0.0.1',
      // The product may close a kept-alive connection at the moment of its next use.
      agent: false,
      method: incoming.method ?? 'GET',
      path: incoming.url ?? '/',
      headers: forwarded(incoming),
    })
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
    const [reply] = (await once(onward, 'response')) as [IncomingMessage]
    outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
    reply.on('error', () => outgoing.destroy())
    outgoing.on('close', () => reply.destroy())
    reply.pipe(outgoing)
  }
  const server = createServer(certificate, (incoming, outgoing) => {
    void answer(incoming, outgoing).catch(() => outgoing.destroy())
  })
  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    const port = portOf(requestHost(incoming))
    if (port === undefined) return socket.destroy()
    const onward = connect(port, '127.0.0.1')
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
    const lines = Object.entries(forwarded(incoming)).flatMap(([name, value]) =>
      [value].flat().map((one) => `${name}: ${one}\r\n`),
    )
    onward.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${lines.join('')}\r\n`)
    onward.write(head)
    socket.pipe(onward).pipe(socket)
    return
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    lead: (host, port) => {
      if (port === undefined) ports.delete(host)
      else ports.set(host, port)
    },
    hosts: () => [...ports.keys()],
    slow: (next) => {
      delay = next
    },
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

const requestHost = ({ headers }: IncomingMessage): string => (headers.host ?? '').replace(/:\d+$/, '')

const forwarded = (incoming: IncomingMessage) => ({
  ...incoming.headers,
  'x-forwarded-for': '192.0.2.44',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': requestHost(incoming),
  'x-forwarded-port': '443',
})
