import { rename, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { visibleLine, visibleText } from '@muster/contract/text/visible-text'
import { addressClass } from '../../kernel/lib/net/address-class.ts'
import { makeFolder } from '../../kernel/lib/process/make-folder.ts'
import type { AddressGuard } from '../webhooks/delivery/address-guard.ts'
import { mailFolder } from './mail-files.ts'

/** Loaded on first use. */
const nodemailer = () => import('nodemailer')

/** A message to one person. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html?: string
  /** Message-ID or file name. Reuse it to send a message again. Default: a new one. */
  readonly id?: string
}

/** Delivery method: mail server, or file if none is configured (events contract, section 4). */
type MailWay = 'SMTP' | 'FILE'

/** Sends messages. */
export interface Mailer {
  readonly way: MailWay
  /** Sender address. */
  readonly from: string
  /**
   * @param beforeEnd called when the mail server has received everything but the last line; if it throws, the message is
   *   not sent. Not called for files
   * @throws Error when the mail server does not accept the message
   */
  send(mail: Mail, beforeEnd?: () => Promise<void>): Promise<MailWay>
}

/** Timeouts of the mail server, in milliseconds. */
export interface MailTimeouts {
  readonly connectionMs: number
  readonly greetingMs: number
  readonly answerMs: number
}

/** For interactive requests. */
const interactiveTimeouts: MailTimeouts = { connectionMs: 15_000, greetingMs: 15_000, answerMs: 15_000 }
/** For background sending, as required by RFC 5321 (4.5.3.2): after an earlier timeout the outcome is unknown. */
export const backgroundTimeouts: MailTimeouts = {
  connectionMs: 60_000,
  greetingMs: 300_000,
  answerMs: 600_000,
}

export interface MailerOptions {
  readonly smtpUrl: string | undefined
  /** Checks the address of the mail server; undefined for that of the operator, which may have any. */
  readonly guard?: AddressGuard | undefined
  /** Sender address. */
  readonly from: string
  readonly dataDir: string
  /** Returns a unique file name. */
  readonly nameOf: () => string
  readonly timeouts?: MailTimeouts
}

/**
 * Makes what sends messages: to the mail server of `smtpUrl`, or, without one, each into a file of the folder `mail`,
 * readable to the owner only, for it may hold a link that is a secret.
 */
export const mailer = (options: MailerOptions): Mailer =>
  options.smtpUrl === undefined ? fileMailer(options) : smtpMailer(options.smtpUrl, options)

/**
 * Returns the options of nodemailer for a mail server. With a guard, it connects to a checked address, and never sends a
 * password without TLS to another machine.
 *
 * @throws RefusedTargetError if the guard does not allow an address of the server
 */
async function serverOptions(
  smtpUrl: string,
  guard: AddressGuard | undefined,
): Promise<Readonly<Record<string, unknown>>> {
  if (!guard) return { url: smtpUrl }
  const { protocol, hostname, port, username, password } = new URL(smtpUrl)
  const name = hostname.replace(/^\[|\]$/g, '')
  // Also without TLS at first: a server for STARTTLS may have any allowed address.
  const [host = ''] = await guard.allowedAddresses(name, true)
  const secure = protocol === 'smtps:'
  const isLocal = addressClass(host) === 'LOOPBACK'
  return {
    host,
    ...(isIP(name) === 0 ? { servername: name } : {}),
    ...(port === '' ? {} : { port: Number(port) }),
    secure,
    requireTLS: !secure && username !== '' && !isLocal,
    ...(username === ''
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  }
}

/**
 * Connects to the mail server, changes to TLS and signs in, as far as its address asks for that, and sends nothing.
 *
 * @throws Error that says what did not work
 */
export async function tryMailServer(
  smtpUrl: string,
  answerWithinMs: number,
  guard?: AddressGuard,
): Promise<void> {
  const timeouts = ['connectionTimeout', 'greetingTimeout', 'socketTimeout', 'dnsTimeout']
  const settings = Object.fromEntries(timeouts.map((name) => [name, answerWithinMs]))
  const { createTransport } = await nodemailer()
  const transport = createTransport({ ...(await serverOptions(smtpUrl, guard)), ...settings })
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

/** Returns the configured sender, or `muster@` and the host of the public URL. */
export const mailSender = (set: string | undefined, publicUrl: string): string =>
  set ?? `Muster <muster@${new URL(publicUrl).hostname}>`

/** `Muster <muster@example.com>` → `example.com` */
const hostOf = (from: string): string => /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost'

/** Creates the message for nodemailer. `to` is an object, since a string with a comma would become two addresses. */
const compose = ({ to, subject, text, html, id }: Mail, from: string) => ({
  from,
  to: { name: '', address: to },
  subject: visibleLine(subject),
  text: visibleText(text),
  ...(html === undefined ? {} : { html: visibleText(html) }),
  ...(id === undefined ? {} : { messageId: `<${id}@${hostOf(from)}>` }),
  // Suppresses automatic replies (RFC 3834).
  headers: { 'auto-submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
})

function smtpMailer(url: string, { from, guard, timeouts = interactiveTimeouts }: MailerOptions): Mailer {
  const { connectionMs, greetingMs, answerMs } = timeouts
  const settings = {
    dnsTimeout: connectionMs,
    connectionTimeout: connectionMs,
    greetingTimeout: greetingMs,
    socketTimeout: answerMs,
  }
  return {
    way: 'SMTP',
    from,
    send: async (mail, beforeEnd) => {
      const { createTransport } = await nodemailer()
      const transport = createTransport({ ...(await serverOptions(url, guard)), ...settings })
      if (beforeEnd) {
        transport.use('stream', ({ message }, done) => {
          const createReadStream = message.createReadStream.bind(message)
          message.createReadStream = () => Readable.from(holdBackEnd(createReadStream(), beforeEnd))
          done()
        })
      }
      await transport.sendMail(compose(mail, from))
      return 'SMTP'
    },
  }
}

/**
 * Passes a stream through, but ends it only after `beforeEnd`. The end triggers the final dot line, with which the mail
 * server takes responsibility for the message. Reading starts after the server has accepted the recipient.
 */
async function* holdBackEnd(stream: Readable, beforeEnd: () => Promise<void>): AsyncGenerator<Buffer> {
  for await (const chunk of stream) yield chunk as Buffer
  await beforeEnd()
}

function fileMailer({ from, dataDir, nameOf }: MailerOptions): Mailer {
  return {
    way: 'FILE',
    from,
    send: async (mail) => {
      const { createTransport } = await nodemailer()
      const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
      const { message } = await transport.sendMail(compose(mail, from))
      const folder = mailFolder(dataDir)
      makeFolder(folder)
      const path = join(folder, `${mail.id ?? nameOf()}.eml`)
      // Renamed after writing, to never expose a partial message.
      const unfinished = `${path}.${process.pid}.part`
      await writeFile(unfinished, message as Buffer, { mode: 0o600 })
      await rename(unfinished, path)
      return 'FILE'
    },
  }
}
