import { once } from 'node:events'
import { request as forward, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { CertificatePair } from '../../server/src/kernel/http/self-signed.ts'
import { freePort } from '../../test/support/private-server.ts'
import { type RecordedRequest, readBody, recorded } from './recording.ts'

/** Connection from the browsers to Muster: terminates TLS, records every request, forwards it, and can be cut. */
export interface MusterLine {
  readonly port: number
  /** All requests so far. */
  readonly requests: readonly RecordedRequest[]
  /** Closes all connections and refuses new ones, like a network that is down. */
  cut(): Promise<void>
  /** Accepts connections again, on the same port. */
  restore(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens the connection.
 *
 * @param target address at which Muster serves plain HTTP
 */
export async function openLine(certificate: CertificatePair, target: string): Promise<MusterLine> {
  const requests: RecordedRequest[] = []
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await readBody(incoming)
    requests.push(recorded(incoming, body))
    const onward = forward(new URL(incoming.url ?? '/', target), {
      method: incoming.method ?? 'GET',
      headers: { ...incoming.headers, 'x-forwarded-for': '192.0.2.44', 'x-forwarded-proto': 'https' },
    })
    onward.end(body)
    const [reply] = (await once(onward, 'response')) as [IncomingMessage]
    outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
    reply.pipe(outgoing)
  }
  const port = await freePort()
  let server: Server
  const listen = async (): Promise<void> => {
    server = createServer(certificate, (incoming, outgoing) => {
      void pass(incoming, outgoing).catch(() => outgoing.destroy())
    })
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const cut = async (): Promise<void> => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  await listen()
  return {
    port,
    requests,
    cut,
    restore: listen,
    close: async () => {
      if (server.listening) await cut()
    },
  }
}
