import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** What is known of an answer. */
export interface Answer {
  readonly status: number
  readonly ms: number
  /** Empty unless bodies are kept. */
  readonly body: string
}

/** One kept-alive connection that asks for one thing after the other. */
export interface HttpConnection {
  ask(request: Buffer): Promise<Answer>
  close(): void
}

/** How an answer in chunks ends. JSON has no line breaks of this kind, so nothing within one looks like it. */
const lastChunk = '\r\n0\r\n\r\n'

/**
 * Opens a connection. It reads what the servers here send, status, length or chunks, and no more of HTTP: a
 * complete client would use more of the processors than the servers that are measured. Bodies are counted and thrown
 * away unless they are asked for.
 */
export async function openConnection(
  address: string,
  { keepBodies = false }: { keepBodies?: boolean } = {},
): Promise<HttpConnection> {
  const { protocol, hostname, port } = new URL(address)
  const socket = await connected(protocol === 'https:', hostname, Number(port))
  socket.setNoDelay(true)
  let waiting: { resolve(answer: Answer): void; reject(error: Error): void; beganMs: number } | undefined
  let head = ''
  let status = 0
  let missing = -1
  let tail: string | undefined
  const bodyParts: Buffer[] = []

  const finish = () => {
    const asked = waiting
    waiting = undefined
    head = ''
    missing = -1
    tail = undefined
    const ms = asked ? performance.now() - asked.beganMs : 0
    const body = Buffer.concat(bodyParts.splice(0)).toString()
    asked?.resolve({ status, ms, body })
  }
  const readChunks = (part: Buffer) => {
    tail = ((tail ?? '') + part.toString('latin1', Math.max(0, part.length - lastChunk.length))).slice(
      -lastChunk.length,
    )
    if (tail === lastChunk) finish()
  }
  socket.on('data', (part: Buffer) => {
    if (tail !== undefined) {
      readChunks(part)
      return
    }
    if (missing >= 0) {
      missing -= part.length
      if (keepBodies) bodyParts.push(part)
    } else {
      head += part.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      status = Number(head.slice(9, 12))
      const length = /\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1]
      if (length === undefined && /\r\ntransfer-encoding: chunked\r\n/i.test(head) && !keepBodies) {
        readChunks(part)
        return
      }
      if (length === undefined) throw new Error(`an answer without its length: ${head.slice(0, end)}`)
      const inHead = head.length - end - 4
      missing = Number(length) - inHead
      if (keepBodies) bodyParts.push(part.subarray(part.length - inHead))
    }
    if (missing === 0) finish()
  })
  const fail = (error?: Error) => waiting?.reject(error ?? new Error('the server closed the connection'))
  socket.on('error', fail)
  socket.on('close', () => fail())

  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject, beganMs: performance.now() }
        socket.write(request)
      }),
    close: () => socket.destroy(),
  }
}

function connected(tls: boolean, host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    // The certificates here are made by the servers themselves, at their first start.
    const socket: Socket = tls
      ? connectTls({ host, port, rejectUnauthorized: false }, () => resolve(socket))
      : connect(port, host, () => resolve(socket))
    socket.once('error', reject)
  })
}

/** The bytes of a request. */
export function requestBytes(method: string, path: string, apiKey: string, body?: string): Buffer {
  const content =
    body === undefined
      ? ''
      : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: ${apiKey}\r\n${content}\r\n${body ?? ''}`,
  )
}
