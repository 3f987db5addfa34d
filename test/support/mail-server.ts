import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** Received message. */
export interface ReceivedMail {
  readonly to: string
  /** Complete message, head and body. */
  readonly raw: string
  readonly secure: boolean
}

/** Behavior of the mail server, changeable at any time. */
export interface MailBehavior {
  /** Response that refuses a recipient; undefined to accept. */
  refusal?: (to: string) => { code: number; text: string } | undefined
  /** Response that refuses a complete message; undefined to accept. */
  verdict?: () => { code: number; text: string } | undefined
  /** Awaited after the message is complete and before it is accepted. */
  beforeTaking?: () => Promise<void>
  /** Closes the connection instead of confirming a received message. */
  hangUp?: boolean
}

/** Mail server on this machine that stores received messages. */
export interface MailServer {
  /** `smtp://127.0.0.1:2525` */
  readonly url: string
  readonly port: number
  readonly taken: ReceivedMail[]
  readonly behavior: MailBehavior
  close(): Promise<void>
}

/** Starts a mail server. By default it accepts everything and offers no TLS. */
export async function startMailServer(
  behavior: MailBehavior = {},
  options: SMTPServerOptions = { disabledCommands: ['STARTTLS'] },
): Promise<MailServer> {
  const taken: ReceivedMail[] = []
  const sockets = new Set<Socket>()
  const server = new SMTPServer({
    authOptional: true,
    ...options,
    onRcptTo: ({ address }, _session, done) => {
      const refusal = behavior.refusal?.(address)
      done(refusal ? Object.assign(new Error(refusal.text), { responseCode: refusal.code }) : null)
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        await behavior.beforeTaking?.()
        const verdict = behavior.verdict?.()
        if (verdict) return done(Object.assign(new Error(verdict.text), { responseCode: verdict.code }))
        const raw = Buffer.concat(chunks).toString('utf8')
        const to = session.envelope.rcptTo[0]?.address ?? ''
        taken.push({ to, raw, secure: session.secure })
        if (!behavior.hangUp) return done()
        for (const socket of sockets) socket.destroy()
      })
    },
  })
  // Killed clients leave broken connections.
  server.on('error', () => {})
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `${options.secure ? 'smtps' : 'smtp'}://127.0.0.1:${port}`,
    port,
    taken,
    behavior,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
