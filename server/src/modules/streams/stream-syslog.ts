import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import { mapInChunks } from '../../kernel/lib/process/yield-to-event-loop.ts'
import { setTimeoutAfterIo } from '../../kernel/lib/timeout-after-io.ts'
import { type StreamedEvent, type StreamFormat, streamMessage } from './formats/stream-line.ts'
import { octetCounted } from './formats/syslog-message.ts'
import type { StreamTarget } from './stream-loop.ts'

export interface SyslogStreamOptions {
  readonly host: string
  readonly port: number
  /** TLS (RFC 5425), or plain TCP (RFC 6587). */
  readonly tls: boolean
  /** Certificates in PEM that the receiver's must lead to, in place of those that the runtime trusts. */
  readonly ca?: string | undefined
  /** The certificate to show and its private key, both in PEM, if the receiver asks. */
  readonly cert?: string | undefined
  readonly key?: string | undefined
  readonly format: StreamFormat
  /** What messages name as the machine that they come from. */
  readonly hostname: string
  /** How long the delivery of one batch may take. */
  readonly timeoutMs?: number | undefined
}

const usualTimeoutMs = 20_000

/**
 * A stream to a receiver of syslog. Syslog has no acknowledgement, and what a socket has taken may still be lost when the
 * receiver stops. So each batch has a connection of its own: we end our side, and the receiver, which closes its side when
 * it has read to that end, tells by this that it has read all.
 */
export function syslogStream(options: SyslogStreamOptions): StreamTarget {
  const running = new Set<Socket>()
  return {
    kind: 'SYSLOG',
    deliver: async (events: readonly StreamedEvent[]) => {
      const { format, hostname } = options
      const messages = await mapInChunks(events, (event) => streamMessage(event, format, hostname))
      const socket = connect(options)
      running.add(socket)
      try {
        await send(socket, octetCounted(messages), options)
      } finally {
        running.delete(socket)
        socket.destroy()
      }
    },
    close: async () => {
      for (const socket of running) socket.destroy()
    },
  }
}

function connect({ host, port, tls, ca, cert, key }: SyslogStreamOptions): Socket {
  const target = { host, port, allowHalfOpen: true }
  if (!tls) return connectTcp(target)
  const secured: ConnectionOptions & { allowHalfOpen: boolean } = {
    ...target,
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined || key === undefined ? {} : { cert, key }),
    ...(isIP(host) === 0 ? { servername: host } : {}),
    minVersion: 'TLSv1.2',
  }
  return connectTls(secured)
}

/** At least so long we listen for a receiver that closes before it was told to, besides twice the time to it and back. */
const listenMs = 20

async function send(socket: Socket, bytes: Buffer, { tls, timeoutMs }: SyslogStreamOptions): Promise<void> {
  const { promise: failed, reject } = Promise.withResolvers<never>()
  failed.catch(() => undefined)
  const { promise: closed, resolve: close } = Promise.withResolvers<void>()
  let ending = false
  socket.on('error', reject)
  socket.on('end', () => {
    if (ending) close()
    else reject(new Error('the receiver closed the connection before it had all messages'))
  })
  socket.on('close', () => reject(new Error('the connection was cut before the receiver had all messages')))
  socket.resume()
  const late = setTimeoutAfterIo(timeoutMs ?? usualTimeoutMs, () =>
    reject(
      new Error(ending ? 'the receiver did not close the connection in time' : 'the receiver was too slow'),
    ),
  )
  try {
    const startedMs = performance.now()
    await Promise.race([event(socket, tls ? 'secureConnect' : 'connect'), failed])
    const roundTripMs = performance.now() - startedMs
    await Promise.race([written(socket, bytes), failed])
    // A receiver that had closed meanwhile has not read this; its end arrives within a round trip.
    await Promise.race([over(listenMs + 2 * roundTripMs), failed])
    ending = true
    socket.end()
    await Promise.race([closed, failed])
  } finally {
    clearTimeout(late)
  }
}

const over = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeoutAfterIo(ms, resolve)
  })

const event = (socket: Socket, name: string): Promise<void> =>
  new Promise((resolve) => {
    socket.once(name, () => resolve())
  })

const written = (socket: Socket, bytes: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.write(bytes, (error) => (error ? reject(error) : resolve()))
  })
