import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import { mapInChunks } from '../../kernel/lib/process/yield-to-event-loop.ts'
import { setTimeoutAfterIo } from '../../kernel/lib/timeout-after-io.ts'
import type { AddressGuard } from '../webhooks/delivery/address-guard.ts'
import { type StreamedEvent, type StreamFormat, streamMessage } from './formats/stream-line.ts'
import { octetCounted } from './formats/syslog-message.ts'
import type { StreamTarget } from './stream-target.ts'

export interface SyslogStreamOptions {
  readonly host: string
  readonly port: number
  /** TLS (RFC 5425), or plain TCP (RFC 6587). */
  readonly tls: boolean
  /** PEM certificates of trusted authorities, in place of those of Node.js. */
  readonly ca?: string | undefined
  /** Client certificate and private key in PEM. */
  readonly cert?: string | undefined
  readonly key?: string | undefined
  readonly format: StreamFormat
  /** Host name in messages. */
  readonly hostname: string
  /** Timeout of one batch. */
  readonly timeoutMs?: number | undefined
  /** Checks the address of a receiver that an owner has set in the console. */
  readonly guard?: AddressGuard | undefined
}

const defaultTimeoutMs = 20_000

/**
 * Creates a stream to a syslog receiver. Syslog has no acknowledgments, and written bytes may be lost when the receiver
 * stops. So each batch uses its own connection and half-closes it: the receiver closes its side only after it has read
 * everything.
 */
export function syslogStream(options: SyslogStreamOptions): StreamTarget {
  const running = new Set<Socket>()
  return {
    kind: 'SYSLOG',
    limits: { maxEvents: 200, maxLength: 400_000, maxInFlight: 1 },
    deliver: async (events: readonly StreamedEvent[]) => {
      const { format, hostname } = options
      const messages = await mapInChunks(events, (event) => streamMessage(event, format, hostname))
      const socket = connect(options)
      running.add(socket)
      try {
        await send(socket, octetCounted(messages), options)
        return undefined
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

function connect({ host, port, tls, ca, cert, key, guard }: SyslogStreamOptions): Socket {
  // Node does not call `lookup` for IP addresses. Plain TCP is allowed to any address that TLS is.
  if (guard && isIP(host) !== 0) guard.assertAllowed(host, true)
  const target = { host, port, allowHalfOpen: true, ...(guard ? { lookup: guard.lookUp(true) } : {}) }
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

/** Minimum time to wait for an early close by the receiver, in addition to two round trips. */
const earlyCloseMs = 20

async function send(socket: Socket, bytes: Buffer, { tls, timeoutMs }: SyslogStreamOptions): Promise<void> {
  const { promise: failed, reject } = Promise.withResolvers<never>()
  failed.catch(() => undefined)
  const { promise: closed, resolve: close } = Promise.withResolvers<void>()
  let ending = false
  socket.on('error', reject)
  socket.on('end', () => {
    if (ending) close()
    else reject(new Error('the receiver closed the connection before it received all messages'))
  })
  socket.on('close', () =>
    reject(new Error('the connection was lost before the receiver received all messages')),
  )
  socket.resume()
  const timer = setTimeoutAfterIo(timeoutMs ?? defaultTimeoutMs, () =>
    reject(
      new Error(
        ending ? 'timeout: the receiver did not close the connection' : 'timeout: the receiver is too slow',
      ),
    ),
  )
  try {
    const startedMs = performance.now()
    await Promise.race([once(socket, tls ? 'secureConnect' : 'connect'), failed])
    const roundTripMs = performance.now() - startedMs
    await Promise.race([write(socket, bytes), failed])
    // A receiver that closed in the meantime has not read everything; its FIN arrives within a round trip.
    await Promise.race([delay(earlyCloseMs + 2 * roundTripMs), failed])
    ending = true
    socket.end()
    await Promise.race([closed, failed])
  } finally {
    clearTimeout(timer)
  }
}

const delay = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeoutAfterIo(ms, resolve)
  })

const once = (socket: Socket, name: string): Promise<void> =>
  new Promise((resolve) => {
    socket.once(name, () => resolve())
  })

const write = (socket: Socket, bytes: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.write(bytes, (error) => (error ? reject(error) : resolve()))
  })
