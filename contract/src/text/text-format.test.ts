import { describe, expect, test } from 'vitest'
import { anyCharacter, fc } from '../../../test/support/fast-check.ts'
import { canonicalText, formatPatterns, isEmailAddress, meetsFormat, textFormats } from './text-format.ts'

/** Texts of the characters that the rules are about, and of any others. */
const odd = fc.constantFrom(
  ...['a', 'B', '1', '.', '-', '_', '@', ' ', '\u00a0', '\t', '\n', '"', ',', '\\', '[', ']', '%', '。'],
  ...['\u0000', '\u001f', '\u007f', '\u0085', '\u00ad', '\u0301', '\u0327', '\u061c', '\u200b', '\u200c'],
  ...['\u200d', '\u200e', '\u2028', '\u202e', '\u2060', '\u2066', '\ufdd0', '\ufeff', '\uffff', '\ud800'],
  ...['é', 'e\u0301', 'ß', 'İ', '漢', '😀', '\u{1d160}', 'ﬁ', 'א'],
)
const text = fc.oneof(
  fc.array(odd, { maxLength: 20 }).map((parts) => parts.join('')),
  fc.string({ unit: anyCharacter, maxLength: 20 }),
)

/** Parses an address according to RFC 5321 and 6531, without a single regular expression. */
function isAddressByWords(address: string): boolean {
  const parts = address.split('@')
  const [local = '', domain = ''] = parts
  const atoms = local.split('.')
  const labels = domain.split('.')
  return (
    parts.length === 2 &&
    [...local].length <= 64 &&
    [...address].length <= 254 &&
    [...atoms, ...labels].every((part) => part !== '') &&
    !/[\s\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\ufdd0-\ufdef\ufeff\ufff9-\ufffb\ufffe\uffff]/u.test(address) &&
    !/[\u00ad\u180e\u200b\u2060-\u2064\u3002\uff0e\uff61]/.test(address) &&
    !/["(),:;<>[\\\]]/.test(local) &&
    labels.every(
      (label) => [...label].length <= 63 && !/^-|-$/.test(label) && /^[\w\-\u0080-\u{10ffff}]+$/u.test(label),
    )
  )
}

test('canonicalization is stable and decides validity', () => {
  fc.assert(
    fc.property(fc.constantFrom(...Object.values(textFormats)), text, (format, given) => {
      const canonical = canonicalText(format, given)
      expect(canonicalText(format, canonical)).toBe(canonical)
    }),
  )
})

test('Unicode variants of a name have one canonical form', () => {
  fc.assert(
    fc.property(text, (given) => {
      const forms = ['NFC', 'NFD'].map((form) =>
        canonicalText(textFormats.name, ` ${given.normalize(form)}\u00a0`),
      )
      expect(forms[0]).toBe(forms[1])
    }),
  )
})

test('the regular expression accepts the same addresses as a parser of the standards', () => {
  const near = fc
    .tuple(fc.array(odd, { maxLength: 6 }), fc.array(odd, { maxLength: 6 }))
    .map(([local, domain]) => `a${local.join('')}@${domain.join('')}b`)
  fc.assert(
    fc.property(fc.oneof(near, fc.emailAddress(), text), (address) => {
      expect({ address, is: isEmailAddress(address) }).toEqual({ address, is: isAddressByWords(address) })
    }),
    { numRuns: 2000 },
  )
})

describe('validation time is bounded', () => {
  const long = [
    ' '.repeat(1e6),
    `a${'\u0301'.repeat(5e5)}${'\u0327'.repeat(5e5)}`,
    'a.'.repeat(5e5),
    'a-'.repeat(5e5),
  ]
  test.each(Object.values(textFormats))('%s', (format) => {
    const startMs = performance.now()
    for (const given of long)
      for (const one of [given, `${given}x${given}`, `a@${given}`, `${given}@`])
        meetsFormat(format, canonicalText(format, one))
    expect(performance.now() - startMs).toBeLessThan(5000)
  })
})

test('the patterns also work without the flag u', () => {
  for (const pattern of Object.values(formatPatterns)) {
    expect(new RegExp(String(pattern)).test('ada@example.com')).toBe(true)
    expect(new RegExp(String(pattern)).test('a\u202e@example.com')).toBe(false)
  }
})
