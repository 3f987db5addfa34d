import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

interface ReceivedResponse {
  readonly status: number
  readonly ms: number
  /** Response body; empty unless `keepBodies` is set. */
  readonly body: string
}

/** A keep-alive connection that sends one request at a time. */
export interface HttpConnection {
  ask(request: Buffer): Promise<ReceivedResponse>
  close(): void
}

/** End of a chunked response. JSON texts contain no CRLF, so the sequence cannot occur earlier. */
const lastChunk = '\r\n0\r\n\r\n'

/**
 * Opens a connection. The parser only supports what the servers of the bench send: status, Content-Length and chunks. A
 * complete HTTP client would use more CPU than the measured servers. Bodies are counted and discarded by default.
 */
export async function openConnection(
  address: string,
  { keepBodies = false }: { keepBodies?: boolean } = {},
): Promise<HttpConnection> {
  const { protocol, hostname, port } = new URL(address)
  const socket = await connectSocket(protocol === 'https:', hostname, Number(port))
  socket.setNoDelay(true)
  let waiting:
    | { resolve(answer: ReceivedResponse): void; reject(error: Error): void; startedMs: number }
    | undefined
  let head = ''
  let status = 0
  let missing = -1
  let tail: string | undefined
  const bodyParts: Buffer[] = []

  const finish = () => {
    const pending = waiting
    waiting = undefined
    head = ''
    missing = -1
    tail = undefined
    const ms = pending ? performance.now() - pending.startedMs : 0
    const body = Buffer.concat(bodyParts.splice(0)).toString()
    pending?.resolve({ status, ms, body })
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
      if (length === undefined && status !== 204)
        throw new Error(`a response without Content-Length: ${head.slice(0, end)}`)
      const inHead = head.length - end - 4
      missing = Number(length ?? 0) - inHead
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
        waiting = { resolve, reject, startedMs: performance.now() }
        socket.write(request)
      }),
    close: () => socket.destroy(),
  }
}

function connectSocket(tls: boolean, host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    // The servers use self-signed certificates.
    const socket: Socket = tls
      ? connectTls({ host, port, rejectUnauthorized: false }, () => resolve(socket))
      : connect(port, host, () => resolve(socket))
    socket.once('error', reject)
  })
}

/** Builds the bytes of a request with an API key. */
export const requestBytes = (method: string, path: string, apiKey: string, body?: string): Buffer =>
  bytesOf(method, path, `x-api-key: ${apiKey}`, body)

/** Builds the bytes of a request of a directory. */
export const scimRequestBytes = (method: string, path: string, token: string, body?: string): Buffer =>
  bytesOf(method, path, `authorization: Bearer ${token}`, body)

function bytesOf(method: string, path: string, credential: string, body?: string): Buffer {
  const content =
    body === undefined
      ? ''
      : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${credential}\r\n${content}\r\n${body ?? ''}`,
  )
}
