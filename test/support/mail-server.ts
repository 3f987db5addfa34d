import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** A message as the mail server took it. */
export interface TakenMail {
  readonly to: string
  /** The whole message, head and body. */
  readonly raw: string
  readonly secure: boolean
}

/** How the mail server behaves; it may be changed at any time. */
export interface MailBehavior {
  /** Refuses a recipient with this answer; undefined: takes it. */
  refusal?: (to: string) => { code: number; text: string } | undefined
  /** Refuses a message, when it is complete, with this answer; undefined: takes it. */
  verdict?: () => { code: number; text: string } | undefined
  /** Waited for after the message is complete and before it is taken. */
  beforeTaking?: () => Promise<void>
  /** Ends the connection in the place of the answer to a message that it has taken. */
  hangUp?: boolean
}

/** A real mail server on this machine that keeps what it is given. */
export interface MailServer {
  /** `smtp://127.0.0.1:2525` */
  readonly url: string
  readonly port: number
  readonly taken: TakenMail[]
  readonly behavior: MailBehavior
  close(): Promise<void>
}

/** Starts a mail server. Without options it takes everything, and offers no TLS. */
export async function startMailServer(
  behavior: MailBehavior = {},
  options: SMTPServerOptions = { disabledCommands: ['STARTTLS'] },
): Promise<MailServer> {
  const taken: TakenMail[] = []
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
  // Whoever is killed leaves broken connections behind.
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
