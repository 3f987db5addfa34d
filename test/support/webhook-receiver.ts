import { once } from 'node:events'
import { createServer as createHttp, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { createServer as createHttps } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { CertificatePair } from '../../server/src/kernel/http/self-signed.ts'

/** Received request. */
export interface ReceivedRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** ID of the event in the body. */
  readonly id: string
}

/** Responds to a complete request; `socket` is its connection. */
export type ReceiverAnswer = (response: ServerResponse, request: ReceivedRequest, socket: Socket) => void

/** Server on this machine that receives webhooks. */
export interface WebhookReceiver {
  readonly port: number
  /** URL of the endpoint: `https://localhost:41234/hook`. */
  readonly url: string
  readonly requests: ReceivedRequest[]
  /** Returns the number of connections so far. */
  connections(): number
  /** Current response. */
  answer: ReceiverAnswer
  close(): Promise<void>
}

export const acknowledge: ReceiverAnswer = (response) => void response.writeHead(200).end('ok')
export const refuse: ReceiverAnswer = (response) => void response.writeHead(500).end('no')
/** Never responds. */
export const hang: ReceiverAnswer = () => undefined
export const reset: ReceiverAnswer = (_response, _request, socket) => void socket.resetAndDestroy()

/** Starts a receiver on a free port of 127.0.0.1, with TLS if a certificate is given. Close it when done. */
export async function startReceiver(
  answer: ReceiverAnswer = acknowledge,
  certificate?: CertificatePair,
): Promise<WebhookReceiver> {
  const server = certificate ? createHttps({ ...certificate }) : createHttp()
  const requests: ReceivedRequest[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('request', async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer)
    } catch {
      return
    }
    const body = Buffer.concat(chunks).toString()
    const { id = '' } = JSON.parse(body) as { id?: string }
    const received = { path: request.url ?? '', headers: request.headers, body, id }
    requests.push(received)
    receiver.answer(response, received, request.socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const receiver: WebhookReceiver = {
    port,
    url: certificate ? `https://localhost:${port}/hook` : `http://127.0.0.1:${port}/hook`,
    requests,
    connections: () => connections,
    answer,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}
