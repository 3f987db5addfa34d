import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/**
 * Treatment of a request:
 * - `pass`: forward it and its response;
 * - `drop`: close the connection without forwarding it;
 * - `lose`: forward it, and close the connection once the response has arrived;
 * - `stall`: do nothing;
 * - a response of the proxy itself.
 */
export type Fate =
  | 'pass'
  | 'drop'
  | 'lose'
  | 'stall'
  | { status: number; headers?: Record<string, string>; body?: string }

interface SeenRequest {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
}

/** Proxy in front of a server that simulates failures. */
export interface UnreliableProxy {
  readonly address: string
  /** All received requests. */
  readonly seen: readonly SeenRequest[]
  /** Sets the treatment of the next requests, in order; later ones pass. */
  next(...fates: Fate[]): void
  /** Waits until this many requests have arrived in total. */
  arrived(count: number): Promise<void>
  close(): Promise<void>
}

/** Starts a proxy to a port of this machine, on a free port. */
export async function startUnreliableProxy(targetPort: number): Promise<UnreliableProxy> {
  const seen: SeenRequest[] = []
  const fates: Fate[] = []
  const waiting = new Set<() => void>()
  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await buffer(incoming)
    const { method = '', url = '', headers } = incoming
    seen.push({ method, url, headers, body: body.toString() })
    for (const wake of waiting) wake()
    const fate = fates.shift() ?? 'pass'
    if (fate === 'stall') return
    if (fate === 'drop') return void incoming.socket.destroy()
    if (typeof fate === 'object') return void outgoing.writeHead(fate.status, fate.headers).end(fate.body)
    const answer = await passOn(targetPort, incoming, body)
    if (fate === 'lose') return void incoming.socket.destroy()
    outgoing.writeHead(answer.status, answer.headers).end(answer.body)
  }
  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => incoming.socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    next: (...more) => void fates.push(...more),
    arrived: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (seen.length < count) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function passOn(port: number, { method, url, headers }: IncomingMessage, body: Buffer) {
  const sent = request({ host: '127.0.0.1', port, method, path: url, headers, agent: false })
  sent.end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await buffer(answer) }
}
