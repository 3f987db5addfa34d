import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startMailServer } from '../../../../test/support/mail-server.ts'
import { mailer } from './mail.ts'
import { classifyMailFailure } from './mail-failure.ts'

const mail = { to: 'ada@example.com', subject: 'Grüße', text: 'Guten Tag,\n\ndas ist alles.\n' }
const from = 'Muster <muster@example.com>'
let dataDir: string

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'muster-mail-'))
})
afterEach(() => rmSync(dataDir, { recursive: true }))

test('sends a message to the mail server', async () => {
  const server = await startMailServer()
  const mails = mailer({ smtpUrl: server.url, from, dataDir, nameOf: () => 'x' })
  expect(await mails.send(mail)).toBe('SMTP')
  await server.close()
  expect(server.taken).toHaveLength(1)
  expect(server.taken[0]?.raw).toMatch(/^From: Muster <muster@example.com>\r\nTo: ada@example.com\r\n/m)
  expect(readdirSync(dataDir)).toEqual([])
})

test('writes messages to private files without a mail server', async () => {
  const mails = mailer({ smtpUrl: undefined, from, dataDir, nameOf: () => 'one' })
  expect(await mails.send(mail)).toBe('FILE')
  const file = join(dataDir, 'mail', 'one.eml')
  const text = readFileSync(file, 'utf8')
  expect(text).toContain('To: ada@example.com\r\n')
  expect(text).toContain('das ist alles.')
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('an address cannot inject header lines', async () => {
  const mails = mailer({ smtpUrl: undefined, from, dataDir, nameOf: () => 'two' })
  await mails.send({ ...mail, subject: 'x\r\nBcc: eve@example.com' })
  const head = readFileSync(join(dataDir, 'mail', 'two.eml'), 'utf8').split('\r\n\r\n')[0]
  expect(head).not.toMatch(/^Bcc:/m)
})

test('removes bidirectional and control characters from texts', async () => {
  const mails = mailer({ smtpUrl: undefined, from, dataDir, nameOf: () => 'three' })
  await mails.send({ ...mail, subject: 'a\u202eb', text: 'a\u202eb\nc\u0007', html: '<p>a\u202eb</p>' })
  const text = readFileSync(join(dataDir, 'mail', 'three.eml'), 'utf8')
  expect(text).toContain('Subject: a\\u202eb\r\n')
  expect(text).toContain('a\\u202eb\r\nc\\u0007')
  expect(text).toContain('<p>a\\u202eb</p>')
})

test('throws if the mail server is unreachable', async () => {
  const server = await startMailServer()
  await server.close()
  const mails = mailer({ smtpUrl: server.url, from, dataDir, nameOf: () => 'x' })
  await expect(mails.send(mail)).rejects.toThrow()
})

test.each([
  { way: 'TLS from the first byte', options: { secure: true } },
  { way: 'STARTTLS, where the mail server offers it', options: {} },
])('$way: the certificate has to be trusted, unless the address says otherwise', async ({ options }) => {
  const server = await startMailServer({}, options)
  const sendTo = (smtpUrl: string) => {
    const mails = mailer({ smtpUrl, from, dataDir, nameOf: () => 'x' })
    return mails.send(mail)
  }
  const refused = await sendTo(server.url).catch((error: unknown) => classifyMailFailure(error, false))
  expect(refused).toMatchObject({ verdict: 'RETRY', reason: expect.stringContaining('certificate') })
  expect(server.taken).toEqual([])
  expect(await sendTo(`${server.url}/?tls.rejectUnauthorized=false`)).toBe('SMTP')
  expect(server.taken).toMatchObject([{ to: mail.to, secure: true }])
  await server.close()
})

test('treats an address with a comma as one address', async () => {
  const server = await startMailServer()
  const mails = mailer({ smtpUrl: server.url, from, dataDir, nameOf: () => 'x' })
  await mails.send({ ...mail, to: 'eve@example.org,ada@example.com' }).catch(() => {})
  expect(server.taken.map(({ to }) => to)).not.toContain('eve@example.org')
  await server.close()
})

test('does not send a message if beforeEnd throws', async () => {
  const server = await startMailServer()
  const mails = mailer({ smtpUrl: server.url, from, dataDir, nameOf: () => 'x' })
  const forbid = async () => {
    throw new Error('withdrawn')
  }
  await expect(mails.send(mail, forbid)).rejects.toThrow('withdrawn')
  await server.close()
  expect(server.taken).toEqual([])
})
