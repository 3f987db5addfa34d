import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { freePort } from './private-server.ts'

/** TCP relay to a server that can simulate network failures. */
export interface Relay {
  readonly port: number
  /** Closes all connections and refuses new ones. */
  cut(): Promise<void>
  /** Accepts connections again on the same port. */
  restore(): Promise<void>
  /** Keeps connections open, including new ones, but forwards nothing. */
  stall(): void
  /** Forwards nothing on existing connections, as when a server is gone; new ones work. */
  lose(): void
  /** Closes each new connection after this many chunks, like a PostgreSQL server that shuts down. */
  endAfter(parts: number): Promise<void>
  close(): Promise<void>
}

/** Returns what PostgreSQL sends before it closes a connection: an error with the severity FATAL. */
const shutDown = (): Buffer => {
  const fields = Buffer.from('SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0')
  const head = Buffer.from('E....')
  head.writeUInt32BE(4 + fields.length, 1)
  return Buffer.concat([head, fields])
}

/** Starts a relay from a free port of 127.0.0.1 to another port. */
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
  const restore = async (): Promise<void> => {
    stalled = false
    partsLet = Number.POSITIVE_INFINITY
    if (!server.listening) await listen()
    else for (const socket of sockets) socket.destroy()
  }
  await listen()
  return {
    port,
    cut,
    restore,
    stall: () => {
      stalled = true
    },
    lose: () => {
      for (const socket of sockets) lost.add(socket)
    },
    endAfter: async (parts) => {
      await restore()
      partsLet = parts
    },
    close: async () => {
      if (server.listening) await cut()
    },
  }
}
