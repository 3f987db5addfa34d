import { mkdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'

/** A message to one person, in plain text. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Where a message went: to the mail server, or into a file because none is set up (events contract, 4). */
export type MailWay = 'SMTP' | 'FILE'

/** Sends messages. */
export interface Mailer {
  /** Where messages go. */
  readonly way: MailWay
  /** The sender of all of them. */
  readonly from: string
  /** @throws Error when the mail server does not take it */
  send(mail: Mail): Promise<MailWay>
  close(): void
}

const answerWithinMs = 15_000

/**
 * Makes what sends messages: to the mail server of `smtpUrl`, or, without one, each into a file of the folder `mail`,
 * readable to the owner only, for it may hold a link that is a secret.
 *
 * @param from the sender's address
 * @param nameOf gives each file a name of its own
 */
export function mailer(options: {
  smtpUrl: string | undefined
  from: string
  dataDir: string
  nameOf: () => string
}): Mailer {
  const { smtpUrl, from, dataDir, nameOf } = options
  if (smtpUrl !== undefined) {
    const transport = createTransport(
      {
        url: smtpUrl,
        connectionTimeout: answerWithinMs,
        greetingTimeout: answerWithinMs,
        socketTimeout: answerWithinMs,
      },
      { from },
    )
    return {
      way: 'SMTP',
      from,
      send: async (mail) => {
        await transport.sendMail(mail)
        return 'SMTP'
      },
      close: () => transport.close(),
    }
  }
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' }, { from })
  return {
    way: 'FILE',
    from,
    send: async (mail) => {
      const { message } = await transport.sendMail(mail)
      const folder = join(dataDir, 'mail')
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      await writeFile(join(folder, `${nameOf()}.eml`), message as Buffer, { flag: 'wx', mode: 0o600 })
      return 'FILE'
    },
    close: () => transport.close(),
  }
}
