import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { freePort } from './private-server.ts'

/** A way to a server that can be cut and mended, as a network is. */
export interface Relay {
  readonly port: number
  /** Ends all connections and refuses new ones. */
  cut(): Promise<void>
  /** Lets connections through again, on the same port. */
  mend(): Promise<void>
  /** Keeps connections open, new ones too, but lets nothing through any more. */
  stall(): void
  close(): Promise<void>
}

/** Relays connections of a free port of 127.0.0.1 to another one. */
export async function startRelay(targetPort: number): Promise<Relay> {
  const sockets = new Set<Socket>()
  let stalled = false
  const port = await freePort()
  const accept = (incoming: Socket): void => {
    const outgoing = connect(targetPort, '127.0.0.1')
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(socket)
      socket.on('data', (chunk) => {
        if (!stalled) other.write(chunk)
      })
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  }
  let server = createServer(accept)
  const listen = async (): Promise<void> => {
    server = createServer(accept).listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const cut = async (): Promise<void> => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  await listen()
  return {
    port,
    cut,
    mend: async () => {
      stalled = false
      if (!server.listening) await listen()
      else for (const socket of sockets) socket.destroy()
    },
    stall: () => {
      stalled = true
    },
    close: async () => {
      if (server.listening) await cut()
    },
  }
}
