import { describe, expect, test } from 'vitest'
import { addressRefusal, headersMistake, targetMistake } from './target.rules.ts'

const strict = { allowPrivate: false }
const lenient = { allowPrivate: true }

describe('the address of an endpoint', () => {
  test.each([
    'https://siem.example.com/muster',
    'https://siem.example.com:8443/a?b=c',
    'https://10.0.0.7/hook',
    'https://localhost/',
  ])('%s may be given: where it leads is judged at every connection', (url) => {
    expect(targetMistake(url, strict)).toBeUndefined()
  })

  test.each([
    ['siem.example.com', /^be an address such as/],
    ['ftp://siem.example.com', /^be an address such as/],
    ['https:siem.example.com', /^be an address such as/],
    ['https://siem.example.com:0/', /^have a port from 1 to 65535/],
    [`https://siem.example.com/${'a'.repeat(2048)}`, /^have at most 2048 characters/],
    ['javascript:alert(1)', /^be an address such as/],
    ['https://ada:secret@siem.example.com/', /^have no user and password/],
    ['https://siem.example.com/#x', /^have no part behind #/],
    ['https://siem.example.com/a b', /^have no blanks/],
    ['http://siem.example.com/', /^begin with https/],
    ['http://10.0.0.7/', /^begin with https/],
    ['http://127.0.0.1.example.com/', /^begin with https/],
  ])('%s is refused, whatever is set', (url, mistake) => {
    expect(targetMistake(url, lenient)).toMatch(mistake)
  })

  test.each(['http://127.0.0.1:8080/', 'http://localhost/', 'http://[::1]/', 'http://127.1/'])(
    '%s may be given by setting only',
    (url) => {
      expect(targetMistake(url, lenient)).toBeUndefined()
      expect(targetMistake(url, strict)).toContain('MUSTER_WEBHOOKS_ALLOW_PRIVATE=1')
    },
  )
})

test('an address is refused by its class, by TLS and by the setting', () => {
  const refusals = (['PUBLIC', 'PRIVATE', 'LOOPBACK', 'FORBIDDEN'] as const).map((found) =>
    [
      [true, strict],
      [true, lenient],
      [false, strict],
      [false, lenient],
    ].map(
      ([secure, terms]) => addressRefusal(found, secure as boolean, terms as typeof strict) === undefined,
    ),
  )
  expect(refusals).toEqual([
    [true, true, false, false],
    [false, true, false, false],
    [false, true, false, true],
    [false, false, false, false],
  ])
})

describe('the headers of an endpoint', () => {
  test('may be any that are not ours', () => {
    expect(
      headersMistake([
        ['Authorization', 'Bearer x'],
        ['X-Team', ''],
      ]),
    ).toBeUndefined()
  })

  test.each([
    [[['X-Signature', 'x']], /^not be X-Signature/],
    [[['content-type', 'text/plain']], /^not be content-type/],
    [[['Host', 'x']], /^not be Host/],
    [[['Proxy-Authorization', 'x']], /^not be Proxy-Authorization/],
    [[['a b', 'x']], /names of letters/],
    [[['', 'x']], /names of letters/],
    [[['X-A', 'x\r\nX-B: y']], /printable ASCII/],
    [[['X-A', 'ü']], /printable ASCII/],
    [[['X-A', 'x'.repeat(2049)]], /at most 2048/],
    [
      [
        ['X-A', '1'],
        ['x-a', '2'],
      ],
      /each name once/,
    ],
    [Array.from({ length: 21 }, (_, at) => [`X-${at}`, 'x']), /at most 20/],
  ] as [[string, string][], RegExp][])('%j are refused', (headers, mistake) => {
    expect(headersMistake(headers)).toMatch(mistake)
  })
})
