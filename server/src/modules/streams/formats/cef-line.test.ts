import { expect, test } from 'vitest'
import { anyCharacter, fc } from '../../../../../test/support/fast-check.ts'
import { type CefHeader, cefLine } from './cef-line.ts'

const header: CefHeader = {
  vendor: 'Muster',
  product: 'Muster',
  version: '1.0',
  signature: 'LOGIN',
  name: 'Login',
  severity: 1,
}

test.each([
  [
    'a bar and a backslash in the header',
    { name: 'a|b\\c' },
    [],
    'CEF:0|Muster|Muster|1.0|LOGIN|a\\|b\\\\c|1|',
  ],
  ['an equals sign in the header', { name: 'a=b' }, [], 'CEF:0|Muster|Muster|1.0|LOGIN|a=b|1|'],
  ['a line break in the header', { name: 'a\r\nb' }, [], 'CEF:0|Muster|Muster|1.0|LOGIN|a  b|1|'],
  ['an equals sign in a value', {}, [['msg', 'a=b']], 'CEF:0|Muster|Muster|1.0|LOGIN|Login|1|msg=a\\=b'],
  ['a bar in a value', {}, [['msg', 'a|b']], 'CEF:0|Muster|Muster|1.0|LOGIN|Login|1|msg=a|b'],
  ['line breaks in a value', {}, [['msg', 'a\r\nb']], 'CEF:0|Muster|Muster|1.0|LOGIN|Login|1|msg=a\\r\\nb'],
  [
    'other controls in a value',
    {},
    [['msg', 'a\u0000\tb']],
    'CEF:0|Muster|Muster|1.0|LOGIN|Login|1|msg=a  b',
  ],
  [
    'several values, one with spaces',
    {},
    [
      ['act', 'x'],
      ['msg', 'a b c'],
      ['src', '192.0.2.1'],
    ],
    'CEF:0|Muster|Muster|1.0|LOGIN|Login|1|act=x msg=a b c src=192.0.2.1',
  ],
] as const)('writes %s', (_, changed, fields, line) => {
  expect(cefLine({ ...header, ...changed }, fields)).toBe(line)
})

const unescaped = (text: string): string =>
  text.replace(/\\(.)/gs, (_, what: string) => ({ n: '\n', r: '\r' })[what] ?? what)

/** Parses a line like a receiver: seven fields separated by unescaped bars, then key-value pairs. */
function parse(line: string): { head: string[]; fields: [string, string][] } {
  const match = /^CEF:0((?:\|(?:[^\\|]|\\.)*){6})\|(.*)$/s.exec(line)
  if (!match) throw new Error(`no CEF: ${line}`)
  const head = [...(match[1] ?? '').matchAll(/\|((?:[^\\|]|\\.)*)/gs)].map(([, text]) =>
    unescaped(text ?? ''),
  )
  const fields = [...(match[2] ?? '').matchAll(/(?:^| )(\w+)=((?:[^\\=]|\\.)*?)(?=$| \w+=)/gs)]
  return { head, fields: fields.map(([, key, text]) => [key ?? '', unescaped(text ?? '')]) }
}

const spaced = (text: string): string => text.replace(/\p{Cc}/gu, ' ')
const spacedValue = (text: string): string => text.replace(/(?![\r\n])\p{Cc}/gu, ' ')
const text = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: fc.constantFrom('|', '\\', '=', '\n', '\r', ' ', 'n', 'é') }),
)

test('a parser gets the original values from one line, with control characters as spaces', () => {
  fc.assert(
    fc.property(text, text, fc.array(text, { maxLength: 4 }), (signature, name, values) => {
      const fields = values.map((value, index) => [`cs${index + 1}`, value] as const)
      const line = cefLine({ ...header, signature, name }, fields)
      expect(line).not.toMatch(/[\r\n]/)
      expect(parse(line)).toEqual({
        head: ['Muster', 'Muster', '1.0', spaced(signature), spaced(name), '1'],
        fields: fields.map(([key, value]) => [key, spacedValue(value)]),
      })
    }),
  )
})
