import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createConnection, type Socket } from 'node:net'

/** Proxy that maps host names to local ports, as Chromium does with a command line rule. */
export interface HostProxy {
  readonly port: number
  close(): Promise<void>
}

/**
 * Opens a proxy.
 *
 * @param portOf returns the local TLS port of a host
 */
export async function openHostProxy(portOf: (host: string) => number): Promise<HostProxy> {
  const open = new Set<Socket>()
  const keep = (socket: Socket, other: Socket) => {
    open.add(socket)
    socket.on('error', () => other.destroy())
    socket.on('close', () => {
      open.delete(socket)
      other.destroy()
    })
  }
  const server = createServer((_, response) => response.writeHead(404).end())
  server.on('connect', ({ url = '' }, stream) => {
    const socket = stream as Socket
    const onward = createConnection({ port: portOf(url.replace(/:\d+$/, '')), host: '127.0.0.1' })
    keep(socket, onward)
    keep(onward, socket)
    onward.once('connect', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.pipe(onward).pipe(socket)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}
