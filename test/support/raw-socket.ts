import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A connection on which anything may be said. */
export interface RawSocket {
  readonly socket: Socket
  /** All that has come. */
  received(): string
  /** Waits until the other side has closed, and gives all that has come. */
  closed(): Promise<string>
}

/** Connects to a port of this machine; errors end the connection and nothing else. */
export async function rawSocket(port: number): Promise<RawSocket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  let text = ''
  socket.setEncoding('latin1')
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.on('error', () => {})
  await once(socket, 'connect')
  const ended = new Promise<void>((resolve) => {
    socket.once('end', resolve)
    socket.once('close', () => resolve())
  })
  const received = () => text
  return {
    socket,
    received,
    closed: async () => {
      await ended
      socket.destroy()
      return received()
    },
  }
}
