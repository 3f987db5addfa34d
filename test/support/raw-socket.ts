import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** TCP connection for arbitrary data. */
export interface RawSocket {
  readonly socket: Socket
  /** Returns all received data. */
  received(): string
  /**
   * Waits until the other side has closed. @returns all received data
   */
  closed(): Promise<string>
}

/** Connects to a port of this machine. Errors only end the connection. */
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
