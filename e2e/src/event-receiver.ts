import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Received request with its raw body. */
interface ReceivedEvent {
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** Local server that receives events and rejects those sent to `/bad`. */
export interface EventReceiver {
  readonly address: string
  readonly received: readonly ReceivedEvent[]
  close(): void
}

export async function startReceiver(): Promise<EventReceiver> {
  const received: ReceivedEvent[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const path = request.url ?? ''
      received.push({ path, headers: request.headers, body })
      response.writeHead(path === '/bad' ? 500 : 200).end(path === '/bad' ? 'out of order' : 'taken')
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}`,
    received,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
