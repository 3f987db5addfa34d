import { createHmac } from 'node:crypto'
import { exampleEventOf } from '@muster/contract/events/event-objects'
import { describe, expect, test } from 'vitest'
import { anyCharacter, fc } from '../../test/support/fast-check.ts'
import { signWebhook } from './webhook-sign.ts'
import { toleranceSecondsDefault, verifyWebhook, type WebhookRequest } from './webhook-verify.ts'

const secret = `mwhs_${'0a'.repeat(16)}`
const newSecret = `mwhs_${'1b'.repeat(16)}`
const event = exampleEventOf('EMPLOYEE_ADDED')
const body = JSON.stringify(event)
const nowSeconds = 1_763_712_000

/** Returns a webhook signed now with the secret, with changes. */
const webhook = async (more: Partial<WebhookRequest> = {}): Promise<WebhookRequest> => ({
  body,
  header: await signWebhook({ body, secrets: [secret], timestampSeconds: nowSeconds }),
  secrets: [secret],
  nowSeconds,
  ...more,
})

const faultOf = async (request: WebhookRequest): Promise<string> => {
  const verdict = await verifyWebhook(request)
  return verdict.valid ? 'valid' : verdict.fault
}

describe('a signature', () => {
  test('is HMAC-SHA-256 of time, dot and body in upper-case hexadecimal, keyed with the whole secret', async () => {
    const expected = createHmac('sha256', secret).update(`${nowSeconds}.${body}`).digest('hex').toUpperCase()
    expect(await signWebhook({ body, secrets: [secret], timestampSeconds: nowSeconds })).toBe(
      `t=${nowSeconds},v1=${expected}`,
    )
  })

  test('has one v1 per secret', async () => {
    const header = await signWebhook({ body, secrets: [secret, newSecret], timestampSeconds: nowSeconds })
    expect(header).toMatch(/^t=1763712000,v1=[0-9A-F]{64},v1=[0-9A-F]{64}$/)
  })

  test('uses the current time by default', async () => {
    const header = await signWebhook({ body, secrets: [secret] })
    expect(await faultOf({ body, header, secrets: [secret] })).toBe('valid')
  })
})

describe('a request from Muster', () => {
  test('is verified and returns event and time', async () => {
    expect(await verifyWebhook(await webhook())).toEqual({
      valid: true,
      event,
      events: [event],
      timestampSeconds: nowSeconds,
    })
  })

  test('is verified as bytes and as text, with any characters', async () => {
    const text = JSON.stringify({ version: '1', description: 'Zoë → 日本 😀' })
    const header = await signWebhook({ body: text, secrets: [secret], timestampSeconds: nowSeconds })
    expect(await faultOf(await webhook({ body: text, header }))).toBe('valid')
    expect(await faultOf(await webhook({ body: Buffer.from(text), header }))).toBe('valid')
  })

  test.each([
    ['in lower case', (header: string) => header.replace(/(?<=v1=).*/, (hex) => hex.toLowerCase())],
    ['with blanks after commas', (header: string) => header.replace(',', ', ')],
    ['with the time behind the signature', (header: string) => header.split(',').reverse().join()],
    ['with schemes to come', (header: string) => `${header},v2=abc`],
    ['with a signature of somebody else before it', (header: string) => `v1=${'0'.repeat(64)},${header}`],
  ])('is verified %s', async (_, change) => {
    const { header } = await webhook()
    expect(await faultOf(await webhook({ header: change(String(header)) }))).toBe('valid')
  })

  test('is verified if the header is a list with one element', async () => {
    const { header } = await webhook()
    expect(await faultOf(await webhook({ header: [String(header)] }))).toBe('valid')
  })
})

describe('while a secret is rotated', () => {
  const both = () => signWebhook({ body, secrets: [newSecret, secret], timestampSeconds: nowSeconds })

  test.each([
    ['the old secret', [secret]],
    ['the new secret', [newSecret]],
    ['both', [secret, newSecret]],
  ])('a receiver with %s verifies', async (_, secrets) => {
    expect(await faultOf(await webhook({ header: await both(), secrets }))).toBe('valid')
  })

  test('a receiver with both accepts a signature of the old one only', async () => {
    expect(await faultOf(await webhook({ secrets: [newSecret, secret] }))).toBe('valid')
  })

  test('afterwards the old one alone is refused', async () => {
    expect(await faultOf(await webhook({ secrets: [newSecret] }))).toBe('signature_mismatch')
  })
})

describe('the time window', () => {
  test('is 35 minutes', () => expect(toleranceSecondsDefault).toBe(2100))

  test.each([
    [2100, 'valid'],
    [2101, 'outside_window'],
    [-2100, 'valid'],
    [-2101, 'outside_window'],
    [Number.NaN, 'outside_window'],
  ])('%i s after the signature the verdict is: %s', async (seconds, verdict) => {
    expect(await faultOf(await webhook({ nowSeconds: nowSeconds + seconds }))).toBe(verdict)
  })

  test.each([
    [0, 0, 'valid'],
    [0, 1, 'outside_window'],
    [60, 60, 'valid'],
    [60, 61, 'outside_window'],
  ])('of %i s gives at %i s: %s', async (toleranceSeconds, age, verdict) => {
    expect(await faultOf(await webhook({ toleranceSeconds, nowSeconds: nowSeconds + age }))).toBe(verdict)
  })

  test('is not checked for invalid signatures', async () => {
    const request = await webhook({ secrets: [newSecret], nowSeconds: 0 })
    expect(await faultOf(request)).toBe('signature_mismatch')
  })
})

const hex = 'AB'.repeat(32)

test.each([
  ['', 'header_missing'],
  [null, 'header_missing'],
  [undefined, 'header_missing'],
  [[], 'header_missing'],
  ['nonsense', 'header_malformed'],
  [`t=${nowSeconds}`, 'header_malformed'],
  [`v1=${hex}`, 'header_malformed'],
  [`t=,v1=${hex}`, 'header_malformed'],
  [`t=-1,v1=${hex}`, 'header_malformed'],
  [`t=1.5,v1=${hex}`, 'header_malformed'],
  [`t=1e9,v1=${hex}`, 'header_malformed'],
  [`t=${'9'.repeat(13)},v1=${hex}`, 'header_malformed'],
  [`t=1,t=1,v1=${hex}`, 'header_malformed'],
  [`t=1,v1=${hex},`, 'header_malformed'],
  [`t=1,v1=${hex.slice(2)}`, 'header_malformed'],
  [`t=1,v1=${hex}00`, 'header_malformed'],
  [`t=1,v1=${'G'.repeat(64)}`, 'header_malformed'],
  [`t=1,v1=${hex},v1=`, 'header_malformed'],
  [`t=1;v1=${hex}`, 'header_malformed'],
  [`t=1,v1=${hex}${',v1='.concat(hex).repeat(16)}`, 'header_malformed'],
  [`t=1,v1=${hex},x=${'x'.repeat(5000)}`, 'header_malformed'],
  [[`t=1,v1=${hex}`, `t=1,v1=${hex}`], 'header_malformed'],
  [`t=${nowSeconds},v1=${hex}`, 'signature_mismatch'],
])('the header %j is refused: %s', async (header, fault) => {
  expect(await faultOf(await webhook({ header }))).toBe(fault)
})

test.each(['', 'not JSON', 'null', '[]', '1', '{}', '{"version":"2"}', '\u{feff}{"version":"1"'])(
  'the body %j is no event even when it is rightly signed',
  async (text) => {
    const header = await signWebhook({ body: text, secrets: [secret], timestampSeconds: nowSeconds })
    expect(await faultOf(await webhook({ body: text, header }))).toBe('body_malformed')
  },
)

test('a batch has all its events, and is no batch if one of them is none', async () => {
  const of = async (text: string) =>
    verifyWebhook(
      await webhook({
        body: text,
        header: await signWebhook({ body: text, secrets: [secret], timestampSeconds: nowSeconds }),
      }),
    )
  const [one, other] = ['1', '2'].map((id) => ({ version: '1', id }))
  expect(await of(JSON.stringify([one, other]))).toMatchObject({
    valid: true,
    event: one,
    events: [one, other],
  })
  expect(await of(JSON.stringify([one, {}]))).toEqual({ valid: false, fault: 'body_malformed' })
})

test('a correctly signed body that is not UTF-8 is refused', async () => {
  const bytes = Uint8Array.from([...Buffer.from('{"version":"1","x":"'), 0xff, ...Buffer.from('"}')])
  const header = await signWebhook({ body: bytes, secrets: [secret], timestampSeconds: nowSeconds })
  expect(await faultOf(await webhook({ body: bytes, header }))).toBe('body_malformed')
})

describe.each<[unknown, string]>([
  [[], ''],
  [[''], ''],
  [[secret, ''], ''],
  [[null], 'null'],
  [[undefined], ''],
  [[secret, undefined], ''],
  [[{}], '[object Object]'],
  [[1], '1'],
  [secret, secret],
  [null, ''],
  [undefined, ''],
])('with the secrets %j', (given, guess) => {
  const secrets = given as string[]

  test('nothing is verified, not even with their string form', async () => {
    const mac = createHmac('sha256', guess).update(`${nowSeconds}.${body}`).digest('hex')
    const forged = { header: `t=${nowSeconds},v1=${mac}`, secrets }
    await expect(webhook(forged).then(verifyWebhook)).rejects.toThrow(TypeError)
    await expect(webhook({ header: null, secrets }).then(verifyWebhook)).rejects.toThrow(TypeError)
  })

  test('nothing is signed', async () => {
    await expect(signWebhook({ body, secrets })).rejects.toThrow(
      new TypeError('secrets must be a list of those of the endpoint'),
    )
  })
})

describe('a body', () => {
  const { buffer, byteOffset, byteLength } = new TextEncoder().encode(` ${body} `)

  test.each<[string, WebhookRequest['body']]>([
    ['a text', body],
    ['a Buffer', Buffer.from(body)],
    ['an ArrayBuffer', new TextEncoder().encode(body).buffer],
    ['a part of a larger one', new Uint8Array(buffer, byteOffset + 1, byteLength - 2)],
    ['a DataView', new DataView(buffer, byteOffset + 1, byteLength - 2)],
  ])('is accepted as %s for verifying and signing', async (_, given) => {
    const header = await signWebhook({ body: given, secrets: [secret], timestampSeconds: nowSeconds })
    expect(header).toBe((await webhook()).header)
    expect(await verifyWebhook(await webhook({ body: given }))).toMatchObject({ valid: true, event })
  })

  test.each<[string, unknown]>([
    ['an object', event],
    ['nothing', undefined],
    ['null', null],
    ['a list of numbers', [...Buffer.from(body)]],
  ])('that was converted to %s is reported', async (_, given) => {
    const parsed = given as string
    const refusal = new TypeError('body must be the bytes as they came, before anything has parsed them')
    await expect(webhook({ body: parsed }).then(verifyWebhook)).rejects.toThrow(refusal)
    await expect(signWebhook({ body: parsed, secrets: [secret] })).rejects.toThrow(refusal)
  })
})

describe('any request', () => {
  test('is verified with its secret and no other', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.json(),
        fc.string({ minLength: 1 }),
        fc.string({ minLength: 1 }),
        async (json, one, other) => {
          fc.pre(one.replace(/\0+$/, '') !== other.replace(/\0+$/, ''))
          const text = `{"version":"1","new":${json}}`
          const header = await signWebhook({ body: text, secrets: [one], timestampSeconds: nowSeconds })
          expect(await faultOf({ body: text, header, secrets: [one], nowSeconds })).toBe('valid')
          expect(await faultOf({ body: text, header, secrets: [other], nowSeconds })).toBe(
            'signature_mismatch',
          )
        },
      ),
      { numRuns: 60 },
    )
  })

  test('is refused if any bit of body, time or signature is changed', async () => {
    const request = await webhook()
    const whole = Buffer.from(body)
    const signed = String(request.header)
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, mask) => {
        const tampered = Uint8Array.from(whole)
        tampered[at] = (tampered[at] ?? 0) ^ mask
        expect(await faultOf({ ...request, body: tampered })).toBe('signature_mismatch')
        const place = at % signed.length
        const broken = String.fromCharCode(signed.charCodeAt(place) ^ (mask % 128 || 1))
        const header = `${signed.slice(0, place)}${broken}${signed.slice(place + 1)}`
        // Hexadecimal digits are case-insensitive.
        fc.pre(header.toLowerCase() !== signed.toLowerCase())
        expect(await faultOf({ ...request, header })).toMatch(
          /^(signature_mismatch|header_m.*|outside_window)$/,
        )
      }),
      { numRuns: 150 },
    )
  })

  test('with any header gets a verdict without an exception', async () => {
    const request = await webhook()
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: anyCharacter, maxLength: 80 }), async (header) => {
        expect(await faultOf({ ...request, header })).toMatch(/^header_/)
      }),
    )
  })
})
