import { ApiError } from '@muster/contract/api/errors'
import { describe, expect, test } from 'vitest'
import { canonicalPattern } from './blocked-urls.rules.ts'

/** Returns the message for an invalid pattern. */
function refusalOf(text: string): string {
  try {
    return `no refusal, but ${canonicalPattern(text)}`
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError)
    const { code, mistakes } = error as ApiError
    expect(code).toBe('invalid_request')
    expect(mistakes).toEqual([{ in: 'body', name: 'url', message: expect.stringMatching(/^must /) }])
    return mistakes[0]?.message ?? ''
  }
}

describe('canonical form of a pattern', () => {
  test.each([
    ['example.com', 'example.com'],
    ['  Example.COM ', 'example.com'],
    ['example.com.', 'example.com'],
    ['localhost', 'localhost'],
    ['a_b.example.com', 'a_b.example.com'],
    ['HTTPS://Example.com/Path', 'https://example.com/Path'],
    ['http://example.com', 'http://example.com'],
    ['example.com:8443', 'example.com:8443'],
    ['example.com:00080/x', 'example.com:80/x'],
    ['example.com:65535', 'example.com:65535'],
    ['*.example.com', '*.example.com'],
    ['https://*.Example.com:444/a/*', 'https://*.example.com:444/a/*'],
    ['example.com/', 'example.com/'],
    ['example.com/*', 'example.com/*'],
    ['example.com/*/login*', 'example.com/*/login*'],
    ['example.com/a?b=c&d=*', 'example.com/a?b=c&d=*'],
    ['example.com/a@b:c', 'example.com/a@b:c'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['BÜCHER.example/Ü', 'xn--bcher-kva.example/Ü'],
    ['*.日本.example', '*.xn--wgv71a.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['faß.example', 'xn--fa-hia.example'],
    ['192.0.2.1', '192.0.2.1'],
    ['http://192.0.2.1:8080/x', 'http://192.0.2.1:8080/x'],
    ['[2001:DB8:0:0:0:0:0:1]', '[2001:db8::1]'],
    ['https://[::1]:8443/*', 'https://[::1]:8443/*'],
    [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
  ])('%j becomes %j', (input, canonical) => {
    expect(canonicalPattern(input)).toBe(canonical)
  })

  test('a canonical pattern does not change', () => {
    const forms = ['https://*.xn--bcher-kva.example:444/a/*', '[2001:db8::1]', 'example.com/a?b=c']
    for (const form of forms) expect(canonicalPattern(form)).toBe(form)
  })
})

const shape =
  'must be [scheme://]host[:port][/path], with *. in front of the host for all below it and * in the path for any run of characters'
const host = 'must have a host name or an address in front of the path; a * alone, or within a name, is none'

describe('rejects invalid patterns with a description of valid ones', () => {
  test.each([
    ['', shape],
    ['   ', shape],
    ['*', host],
    ['*.', host],
    ['**', host],
    ['*.*.example.com', host],
    ['exam*ple.com', host],
    ['example.*', host],
    ['/path', shape],
    ['https://', shape],
    ['://example.com', shape],
    ['//example.com', shape],
    ['ftp://example.com', 'must have the scheme http or https, or none for both'],
    ['javascript://example.com', 'must have the scheme http or https, or none for both'],
    ['*://example.com', shape],
    ['javascript:alert(1)', shape],
    ['user@example.com', shape],
    ['https://user:password@example.com', shape],
    ['example.com#top', shape],
    ['example.com/a#top', shape],
    ['example.com?a=b', shape],
    ['example.com\\path', shape],
    ['example.com/a\\b', shape],
    ['exa mple.com', shape],
    ['example.com/a b', shape],
    ['example.com/a\u0001b', 'must not have control characters or spaces in its path'],
    ['example.com:0', 'must have a port between 1 and 65535'],
    ['example.com:65536', 'must have a port between 1 and 65535'],
    ['example.com:', shape],
    ['example.com:http', shape],
    ['example..com', host],
    ['.example.com', host],
    ['-example.com', host],
    ['example-.com', host],
    [`${'a'.repeat(64)}.example`, host],
    [`${'a.'.repeat(130)}example`, host],
    ['*.192.0.2.1', host],
    ['192.0.2.256', host],
    ['192.0.2', host],
    ['0x7f.1', host],
    ['2001:db8::1', shape],
    ['[2001:db8::g]', host],
    ['[::1', shape],
    ['*.[::1]', host],
    ['[fe80::1%eth0]', host],
    ['[]', host],
  ])('%j', (input, message) => {
    expect(refusalOf(input)).toBe(message)
  })

  test('limits the canonical form to 2,048 characters', () => {
    const path = (length: number) => `/${'x'.repeat(length - 1)}`
    const name = 'ü.example'
    const canonical = 'xn--tda.example'
    expect(canonicalPattern(`${name}${path(2048 - canonical.length)}`)).toHaveLength(2048)
    expect(refusalOf(`${name}${path(2049 - canonical.length)}`)).toBe(
      'must have at most 2048 characters, its host in punycode',
    )
  })
})
