import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { visibleLine, visibleText } from '@muster/contract/visible-text'
import { makeFolder } from '../../kernel/lib/process/make-folder.ts'
import { mailFolder } from './mail-files.ts'

/** Loaded when the first message is sent. */
const nodemailer = () => import('nodemailer')

/** A message to one person. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The same as HTML, for those who would rather see that. */
  readonly html?: string
  /** Names the message: one that is sent again has the same Message-ID, or is the same file. A new one unless told. */
  readonly id?: string
}

/** Where a message went: to the mail server, or into a file because none is set up (events contract, 4). */
export type MailWay = 'SMTP' | 'FILE'

/** Sends messages. */
export interface Mailer {
  /** Where messages go. */
  readonly way: MailWay
  /** The sender of all of them. */
  readonly from: string
  /**
   * @param beforeEnd is waited for when the mail server has all of the message but its last line; if it throws, the
   *   message is not sent. A file is always whole, and no doubt about it is possible: it is not asked for one.
   * @throws Error when the mail server does not take it
   */
  send(mail: Mail, beforeEnd?: () => Promise<void>): Promise<MailWay>
}

/** For how long the mail server is waited for, in milliseconds. */
export interface MailPatience {
  readonly connectionMs: number
  readonly greetingMs: number
  /** For each answer. */
  readonly answerMs: number
}

/** Somebody waits before the screen. */
const shortPatience: MailPatience = { connectionMs: 15_000, greetingMs: 15_000, answerMs: 15_000 }
/** As SMTP wants it, for nobody waits: whoever gives up sooner does not know what became of the message (RFC 5321, 4.5.3.2). */
export const longPatience: MailPatience = { connectionMs: 60_000, greetingMs: 300_000, answerMs: 600_000 }

/** What makes a {@link Mailer}. */
export interface MailerOptions {
  readonly smtpUrl: string | undefined
  /** The sender's address. */
  readonly from: string
  readonly dataDir: string
  /** Gives each file a name of its own. */
  readonly nameOf: () => string
  readonly patience?: MailPatience
}

/**
 * Makes what sends messages: to the mail server of `smtpUrl`, or, without one, each into a file of the folder `mail`,
 * readable to the owner only, for it may hold a link that is a secret.
 */
export const mailer = (options: MailerOptions): Mailer =>
  options.smtpUrl === undefined ? fileMailer(options) : smtpMailer(options.smtpUrl, options)

/**
 * Connects to the mail server, changes to TLS and signs in, as far as its address asks for that, and sends nothing.
 *
 * @throws Error that says what did not work
 */
export async function tryMailServer(smtpUrl: string, answerWithinMs: number): Promise<void> {
  const timeouts = ['connectionTimeout', 'greetingTimeout', 'socketTimeout', 'dnsTimeout']
  const settings = Object.fromEntries(timeouts.map((name) => [name, answerWithinMs]))
  const { createTransport } = await nodemailer()
  const transport = createTransport({ url: smtpUrl, ...settings })
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

/** The sender of all messages: as it is set, or `muster@` and the host of the public address. */
export const mailSender = (set: string | undefined, publicUrl: string): string =>
  set ?? `Muster <muster@${new URL(publicUrl).hostname}>`

/** `Muster <muster@example.com>` → `example.com` */
const hostOf = (from: string): string => /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost'

/** The message for nodemailer. The address is given as one, or a comma in it would make two of it. */
const composed = ({ to, subject, text, html, id }: Mail, from: string) => ({
  from,
  to: { name: '', address: to },
  subject: visibleLine(subject),
  text: visibleText(text),
  ...(html === undefined ? {} : { html: visibleText(html) }),
  ...(id === undefined ? {} : { messageId: `<${id}@${hostOf(from)}>` }),
  // So that an absence notice is not the answer (RFC 3834).
  headers: { 'auto-submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
})

function smtpMailer(url: string, { from, patience = shortPatience }: MailerOptions): Mailer {
  const { connectionMs, greetingMs, answerMs } = patience
  const settings = {
    url,
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
      const transport = createTransport(settings)
      if (beforeEnd) {
        transport.use('stream', ({ message }, done) => {
          const whole = message.createReadStream.bind(message)
          message.createReadStream = () => Readable.from(heldBack(whole(), beforeEnd))
          done()
        })
      }
      await transport.sendMail(composed(mail, from))
      return 'SMTP'
    },
  }
}

/**
 * The bytes, and their end only after `beforeEnd`. The end is what makes the mail server take the message: the line with
 * one dot. None of it is read before the mail server has agreed to take the message for its recipient.
 */
async function* heldBack(whole: Readable, beforeEnd: () => Promise<void>): AsyncGenerator<Buffer> {
  for await (const chunk of whole) yield chunk as Buffer
  await beforeEnd()
}

function fileMailer({ from, dataDir, nameOf }: MailerOptions): Mailer {
  return {
    way: 'FILE',
    from,
    send: async (mail) => {
      const { createTransport } = await nodemailer()
      const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
      const { message } = await transport.sendMail(composed(mail, from))
      const folder = mailFolder(dataDir)
      makeFolder(folder)
      const path = join(folder, `${mail.id ?? nameOf()}.eml`)
      // Written under another name first: whoever looks finds it whole or not at all.
      const unfinished = `${path}.${process.pid}.part`
      await writeFile(unfinished, message as Buffer, { mode: 0o600 })
      await rename(unfinished, path)
      return 'FILE'
    },
  }
}
