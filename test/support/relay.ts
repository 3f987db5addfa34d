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
  /** Lets nothing through any more by the connections that are there, as when a server is gone; new ones pass. */
  lose(): void
  /** Ends each new connection, when so many parts have come by it, as a PostgreSQL does that is shut down. */
  endAfter(parts: number): Promise<void>
  close(): Promise<void>
}

/** What PostgreSQL says before it ends a connection: the fields of an error of the severity FATAL. */
const shutDown = (): Buffer => {
  const fields = Buffer.from('SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0')
  const head = Buffer.from('E....')
  head.writeUInt32BE(4 + fields.length, 1)
  return Buffer.concat([head, fields])
}

/** Relays connections of a free port of 127.0.0.1 to another one. */
export async function startRelay(targetPort: number): Promise<Relay> {
  const sockets = new Set<Socket>()
  const lost = new WeakSet<Socket>()
  let stalled = false
  let partsLet = Number.POSITIVE_INFINITY
  const port = await freePort()
  const accept = (incoming: Socket): void => {
    const outgoing = connect(targetPort, '127.0.0.1')
    let left = partsLet
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(socket)
      socket.on('data', (chunk) => {
        if (socket === incoming) left -= 1
        if (left <= 0) incoming.end(shutDown())
        else if (!stalled && !lost.has(socket)) other.write(chunk)
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
  const lift = async (): Promise<void> => {
    stalled = false
    partsLet = Number.POSITIVE_INFINITY
    if (!server.listening) await listen()
    else for (const socket of sockets) socket.destroy()
  }
  await listen()
  return {
    port,
    cut,
    mend: lift,
    stall: () => {
      stalled = true
    },
    lose: () => {
      for (const socket of sockets) lost.add(socket)
    },
    endAfter: async (parts) => {
      await lift()
      partsLet = parts
    },
    close: async () => {
      if (server.listening) await cut()
    },
  }
}
