import { verifyWebhook } from '@muster/sdk/webhook-verify'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { blockProcess } from '../../../../../test/support/block-process.ts'
import { freePort } from '../../../../../test/support/private-server.ts'
import {
  acknowledge,
  hang,
  type ReceiverAnswer,
  refuse,
  reset,
  startReceiver,
  type WebhookReceiver,
} from '../../../../../test/support/webhook-receiver.ts'
import { type CertificatePair, makeSelfSigned } from '../../../kernel/http/self-signed.ts'
import { version } from '../../../kernel/lib/version.ts'
import type { HostResolver } from './resolve-host.ts'
import { type Sender, type SenderOptions, type WebhookRequest, webhookSender } from './webhook-sender.ts'

const secrets = [`mwhs_${'a'.repeat(32)}`, `mwhs_${'b'.repeat(32)}`]
const body = JSON.stringify({ version: '1', id: 'one', text: 'naïve ☃' })
const nowSeconds = 1_767_225_600

const sending = (url: string, more: Partial<WebhookRequest> = {}): WebhookRequest => ({
  url,
  headers: [],
  secrets,
  body,
  ...more,
})

const resolving = (resolve: HostResolver['resolve']): HostResolver => ({ resolve, close: () => {} })

const senders: Sender[] = []
function sender(options: Partial<SenderOptions> = {}): Sender {
  const made = webhookSender({ allowPrivate: true, ...options })
  senders.push(made)
  return made
}

const receivers: WebhookReceiver[] = []
async function receiver(answer?: ReceiverAnswer, certificate?: CertificatePair): Promise<WebhookReceiver> {
  const started = await startReceiver(answer, certificate)
  receivers.push(started)
  return started
}

let certificate: CertificatePair
let expired: CertificatePair
const dayMs = 86_400_000

beforeAll(async () => {
  certificate = await makeSelfSigned(['localhost'], Date.now())
  expired = await makeSelfSigned(['localhost'], Date.now() - 900 * dayMs)
})
afterAll(async () => {
  for (const one of senders) one.close()
  for (const one of receivers) await one.close()
})

describe('a request', () => {
  test('is one POST with the exact body, the standard headers and those of the endpoint', async () => {
    const there = await receiver()
    const headers = [
      ['Authorization', 'Bearer x'],
      ['X-Team', 'blue'],
    ] as const
    const outcome = await sender().send(sending(there.url, { headers }), nowSeconds)
    expect(outcome).toEqual({ status: 200, answer: 'ok', error: null, latencyMs: expect.any(Number) })
    expect(there.requests).toHaveLength(1)
    const [request] = there.requests
    expect(request?.body).toBe(body)
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': `muster-webhooks/${version}`,
      authorization: 'Bearer x',
      'x-team': 'blue',
    })
  })

  test('is signed with every secret and accepted by the verifier of the SDK', async () => {
    const there = await receiver()
    await sender().send(sending(there.url), nowSeconds)
    const header = String(there.requests[0]?.headers['x-signature'])
    expect(header).toMatch(/^t=1767225600,v1=[0-9A-F]{64},v1=[0-9A-F]{64}$/)
    for (const secret of secrets)
      expect(await verifyWebhook({ body, header, secrets: [secret], nowSeconds })).toMatchObject({
        valid: true,
      })
    const other = await verifyWebhook({ body: `${body} `, header, secrets, nowSeconds })
    expect(other).toEqual({ valid: false, fault: 'signature_mismatch' })
  })

  test('uses TLS with a trusted certificate and reuses connections', async () => {
    const there = await receiver(acknowledge, certificate)
    const trusting = sender({ ca: [certificate.cert] })
    for (let at = 0; at < 3; at++)
      expect(await trusting.send(sending(there.url), nowSeconds)).toMatchObject({ status: 200, error: null })
    expect(there.connections()).toBe(1)
  })

  test('is not repeated when a kept-alive connection is reset', async () => {
    let answers = 0
    const there = await receiver((response, request, socket) => {
      answers += 1
      if (answers === 2) reset(response, request, socket)
      else acknowledge(response, request, socket)
    })
    const one = sender()
    expect(await one.send(sending(there.url), nowSeconds)).toMatchObject({ status: 200 })
    expect(await one.send(sending(there.url), nowSeconds)).toMatchObject({
      status: null,
      error: 'the connection was reset',
    })
    expect(there.requests).toHaveLength(2)
  })
})

describe('a response', () => {
  test.each([200, 201, 202, 204, 299])('%i acknowledges', async (status) => {
    const there = await receiver((response) => void response.writeHead(status).end())
    expect(await sender().send(sending(there.url), nowSeconds)).toMatchObject({ status, error: null })
  })

  test.each([
    [refuse, 500, 'HTTP status 500'],
    [(response) => void response.writeHead(410).end(), 410, 'HTTP status 410'],
    [reset, null, 'the connection was reset'],
    [
      (_response, _request, socket) =>
        void socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
      null,
      'the connection was closed without a response',
    ],
    [
      (_response, _request, socket) => void socket.end('what?\r\n\r\n'),
      null,
      expect.stringContaining('HPE_'),
    ],
  ] as const satisfies readonly (readonly [ReceiverAnswer, number | null, unknown])[])(
    'without a 2xx status fails: case %#',
    async (answer, status, error) => {
      const there = await receiver(answer)
      expect(await sender().send(sending(there.url), nowSeconds)).toMatchObject({ status, error })
    },
  )

  test('that is too late fails', async () => {
    const there = await receiver(hang)
    const outcome = await sender({ answerWithinMs: 100 }).send(sending(there.url), nowSeconds)
    expect(outcome).toMatchObject({ status: null, error: 'no response within 0.1 s' })
  })

  test('that arrived in time counts, even if the process was too busy to read it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const there = await receiver((response) => void response.end('ok', () => blockProcess(5000)))
    const outcome = await sender().send(sending(there.url), nowSeconds).finally(vi.useRealTimers)
    expect(outcome).toMatchObject({ status: 200, answer: 'ok', error: null })
  })

  test('with headers in time counts, even if the body never ends', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const there = await receiver(
      (response) => void response.writeHead(200).write('half', () => blockProcess(5000)),
    )
    const outcome = await sender().send(sending(there.url), nowSeconds).finally(vi.useRealTimers)
    expect(outcome).toMatchObject({ status: 200, answer: 'half', error: null })
  })

  test('is read up to 2 KiB', async () => {
    let written = 0
    const there = await receiver((response, _request, socket) => {
      const more = () => {
        while (!socket.destroyed && response.write('x'.repeat(65_536))) written += 65_536
      }
      response.on('drain', more)
      response.writeHead(200)
      more()
    })
    const outcome = await sender().send(sending(there.url), nowSeconds)
    expect(outcome).toMatchObject({ status: 200, answer: 'x'.repeat(2048), error: null })
    expect(written).toBeLessThan(32 * 1024 * 1024)
  })

  test('with a redirect is not followed', async () => {
    const elsewhere = await receiver()
    const there = await receiver(
      (response) => void response.writeHead(307, { location: elsewhere.url }).end(),
    )
    const outcome = await sender().send(sending(there.url), nowSeconds)
    expect(outcome).toMatchObject({ status: 307, error: 'HTTP status 307: redirects are not followed' })
    expect(elsewhere.requests).toEqual([])
  })

  test('with binary content is stored as valid text', async () => {
    const there = await receiver((response) => void response.end(Buffer.from([0xff, 0, 0x41])))
    expect((await sender().send(sending(there.url), nowSeconds)).answer).toBe('\ufffd\ufffdA')
  })
})

describe('a certificate', () => {
  test.each([
    ['that expired', () => expired, 'the certificate has expired'],
    ['that is self-signed', () => certificate, 'the certificate is self-signed and not trusted'],
  ] as const)('%s is refused', async (what, pair, error) => {
    const there = await receiver(acknowledge, pair())
    const ca = what === 'that expired' ? [expired.cert] : undefined
    expect(await sender({ ca }).send(sending(there.url), nowSeconds)).toMatchObject({ status: null, error })
    expect(there.requests).toEqual([])
  })

  test('for another host is refused', async () => {
    const there = await receiver(acknowledge, certificate)
    const other = sender({ ca: [certificate.cert], resolver: resolving(async () => ['127.0.0.1']) })
    const outcome = await other.send(sending(`https://other.test:${there.port}/`), nowSeconds)
    expect(outcome).toMatchObject({ status: null, error: 'the certificate is for another host' })
  })
})

describe('the target address', () => {
  const loopback = 'the host has a loopback address; MUSTER_WEBHOOKS_ALLOW_PRIVATE=1 allows it'
  const never = 'the host has a forbidden address (link-local, metadata, multicast or reserved)'

  test.each([
    ['127.0.0.1', loopback],
    ['0x7f.1', loopback],
    ['2130706433', loopback],
    ['[::1]', loopback],
    ['169.254.169.254', never],
    ['[::ffff:127.0.0.1]', never],
    ['0.0.0.0', never],
  ])('is refused as an IP address in the URL: %s', async (host, error) => {
    const there = await receiver(acknowledge, certificate)
    const outcome = await sender({ allowPrivate: false }).send(
      sending(`https://${host}:${there.port}/`),
      nowSeconds,
    )
    expect(outcome).toMatchObject({ status: null, error })
    expect(there.connections()).toBe(0)
  })

  test.each([
    [['127.0.0.1'], loopback],
    [['169.254.169.254'], never],
    [['1.1.1.1', '127.0.0.1'], loopback],
    [['2606:4700:4700::1111', '::ffff:a9fe:a9fe'], never],
  ])('is refused if one of the addresses of the name is not allowed: %j', async (addresses, error) => {
    const there = await receiver(acknowledge, certificate)
    const outcome = await sender({ allowPrivate: false, resolver: resolving(async () => addresses) }).send(
      sending(`https://siem.example.com:${there.port}/`),
      nowSeconds,
    )
    expect(outcome).toMatchObject({ status: null, error })
    expect(there.connections()).toBe(0)
  })

  test('is the one that was checked, even if the name resolves differently a moment later', async () => {
    const there = await receiver(acknowledge, certificate)
    const answers = [['127.0.0.2'], ['127.0.0.1']]
    const asked: string[] = []
    const resolve = async (name: string) => {
      asked.push(name)
      return answers[asked.length - 1] ?? ['127.0.0.1']
    }
    const outcome = await sender({ resolver: resolving(resolve), ca: [certificate.cert] }).send(
      sending(`https://localhost:${there.port}/`),
      nowSeconds,
    )
    expect(outcome.error).toBe('the connection was refused')
    expect(asked).toEqual(['localhost'])
    expect(there.connections()).toBe(0)
  })

  test.each([
    ['127.0.0.1', false, loopback],
    ['169.254.169.254', true, never],
  ])(
    'is checked on every connection: a name that resolves to %s later',
    async (address, allowPrivate, error) => {
      const there = await receiver((response) => void response.writeHead(200, { connection: 'close' }).end())
      const answers = ['127.0.0.1', address]
      const policy = { allowPrivate: true }
      const rebound = webhookSender({
        get allowPrivate() {
          return policy.allowPrivate
        },
        resolver: resolving(async () => [answers.shift() ?? address]),
      })
      senders.push(rebound)
      const url = `http://siem.example.com:${there.port}/`
      expect(await rebound.send(sending(url), nowSeconds)).toMatchObject({ status: 200 })
      policy.allowPrivate = allowPrivate
      expect(await rebound.send(sending(url), nowSeconds)).toMatchObject({ status: null, error })
      expect(there.connections()).toBe(1)
    },
  )

  test('may be private by setting, but never link-local; without TLS only loopback', async () => {
    const allowing = (address: string) => sender({ resolver: resolving(async () => [address]) })
    const url = 'https://siem.example.com:1/'
    expect((await allowing('169.254.169.254').send(sending(url), nowSeconds)).error).toBe(never)
    expect((await allowing('127.0.0.2').send(sending(url), nowSeconds)).error).toBe(
      'the connection was refused',
    )
    const plain = await allowing('10.255.255.1').send(sending('http://siem.example.com/'), nowSeconds)
    expect(plain.error).toBe('the URL must start with https://')
  })

  test('times out when no name server responds', async () => {
    const silent = sender({ resolver: resolving(() => new Promise(() => undefined)), answerWithinMs: 100 })
    const outcome = await silent.send(sending('https://siem.example.com/'), nowSeconds)
    expect(outcome).toMatchObject({ status: null, error: 'no response within 0.1 s' })
  })

  test('is reported as unknown or refusing connections', async () => {
    const nobody = sender({
      resolver: resolving(async () => {
        throw Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' })
      }),
    })
    expect(await nobody.send(sending('https://nowhere.test/'), nowSeconds)).toMatchObject({
      status: null,
      error: 'the host has no address',
    })
    const nowhere = sending(`http://127.0.0.1:${await freePort()}/`)
    expect((await sender().send(nowhere, nowSeconds)).error).toBe('the connection was refused')
  })
})
