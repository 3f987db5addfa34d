import { describe, expect, test } from 'vitest'
import { addressRefusal, headersMistake, targetMistake } from './target.rules.ts'

const strict = { allowPrivate: false }
const lenient = { allowPrivate: true }

describe('the URL of an endpoint', () => {
  test.each([
    'https://siem.example.com/muster',
    'https://siem.example.com:8443/a?b=c',
    'https://10.0.0.7/hook',
    'https://localhost/',
  ])('accepts %s: its address is checked on every connection', (url) => {
    expect(targetMistake(url, strict)).toBeUndefined()
  })

  test.each([
    ['siem.example.com', /^be a URL such as/],
    ['ftp://siem.example.com', /^be a URL such as/],
    ['https:siem.example.com', /^be a URL such as/],
    ['https://siem.example.com:0/', /^have a port from 1 to 65535/],
    [`https://siem.example.com/${'a'.repeat(2048)}`, /^have at most 2048 characters/],
    ['javascript:alert(1)', /^be a URL such as/],
    ['https://ada:secret@siem.example.com/', /^not contain a user name or password/],
    ['https://siem.example.com/#x', /^not contain a fragment/],
    ['https://siem.example.com/a b', /^not contain spaces/],
    ['http://siem.example.com/', /^start with https/],
    ['http://10.0.0.7/', /^start with https/],
    ['http://127.0.0.1.example.com/', /^start with https/],
  ])('rejects %s with any setting', (url, mistake) => {
    expect(targetMistake(url, lenient)).toMatch(mistake)
  })

  test.each(['http://127.0.0.1:8080/', 'http://localhost/', 'http://[::1]/', 'http://127.1/'])(
    'accepts %s only with MUSTER_WEBHOOKS_ALLOW_PRIVATE',
    (url) => {
      expect(targetMistake(url, lenient)).toBeUndefined()
      expect(targetMistake(url, strict)).toContain('MUSTER_WEBHOOKS_ALLOW_PRIVATE=1')
    },
  )
})

test('allows addresses by class, TLS and setting', () => {
  const refusals = (['PUBLIC', 'PRIVATE', 'LOOPBACK', 'FORBIDDEN'] as const).map((found) =>
    [
      [true, strict],
      [true, lenient],
      [false, strict],
      [false, lenient],
    ].map(
      ([secure, policy]) => addressRefusal(found, secure as boolean, policy as typeof strict) === undefined,
    ),
  )
  expect(refusals).toEqual([
    [true, true, false, false],
    [false, true, false, false],
    [false, true, false, true],
    [false, false, false, false],
  ])
})

describe('the static headers of an endpoint', () => {
  test('accepts headers that are not reserved', () => {
    expect(
      headersMistake([
        ['Authorization', 'Bearer x'],
        ['X-Team', ''],
      ]),
    ).toBeUndefined()
  })

  test.each([
    [[['X-Signature', 'x']], /^not include X-Signature/],
    [[['content-type', 'text/plain']], /^not include content-type/],
    [[['Host', 'x']], /^not include Host/],
    [[['Proxy-Authorization', 'x']], /^not include Proxy-Authorization/],
    [[['a b', 'x']], /valid names/],
    [[['', 'x']], /valid names/],
    [[['X-A', 'x\r\nX-B: y']], /printable ASCII/],
    [[['X-A', 'ü']], /printable ASCII/],
    [[['X-A', 'x'.repeat(2049)]], /at most 2048/],
    [
      [
        ['X-A', '1'],
        ['x-a', '2'],
      ],
      /unique names/,
    ],
    [Array.from({ length: 21 }, (_, at) => [`X-${at}`, 'x']), /at most 20/],
  ] as [[string, string][], RegExp][])('rejects %j', (headers, mistake) => {
    expect(headersMistake(headers)).toMatch(mistake)
  })
})
