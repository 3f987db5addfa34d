import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mailer } from './mail.ts'

const mail = { to: 'ada@example.com', subject: 'Grüße', text: 'Guten Tag,\n\ndas ist alles.\n' }
const from = 'Muster <muster@example.com>'
let dataDir: string

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'muster-mail-'))
})
afterEach(() => rmSync(dataDir, { recursive: true }))

/** A mail server that keeps what it is given. */
async function smtpServer(): Promise<{ url: string; received: string[]; close(): Promise<void> }> {
  const received: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        received.push(Buffer.concat(chunks).toString('utf8'))
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

test('with a mail server, a message goes there', async () => {
  const server = await smtpServer()
  const mails = mailer({ smtpUrl: server.url, from, dataDir, nameOf: () => 'x' })
  expect(await mails.send(mail)).toBe('SMTP')
  mails.close()
  await server.close()
  expect(server.received).toHaveLength(1)
  expect(server.received[0]).toMatch(/^From: Muster <muster@example.com>\r\nTo: ada@example.com\r\n/m)
  expect(readdirSync(dataDir)).toEqual([])
})

test('without one, each message is a file that only the owner may read', async () => {
  const mails = mailer({ smtpUrl: undefined, from, dataDir, nameOf: () => 'one' })
  expect(await mails.send(mail)).toBe('FILE')
  const file = join(dataDir, 'mail', 'one.eml')
  const text = readFileSync(file, 'utf8')
  expect(text).toContain('To: ada@example.com\r\n')
  expect(text).toContain('das ist alles.')
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('an address that would add lines to the message adds none', async () => {
  const mails = mailer({ smtpUrl: undefined, from, dataDir, nameOf: () => 'two' })
  await mails.send({ ...mail, subject: 'x\r\nBcc: eve@example.com' })
  const head = readFileSync(join(dataDir, 'mail', 'two.eml'), 'utf8').split('\r\n\r\n')[0]
  expect(head).not.toMatch(/^Bcc:/m)
})

test('a mail server that is not there is an error for the caller', async () => {
  const server = await smtpServer()
  await server.close()
  const mails = mailer({ smtpUrl: server.url, from, dataDir, nameOf: () => 'x' })
  await expect(mails.send(mail)).rejects.toThrow()
})
