import { expect, test } from 'vitest'
import { anyCharacter, fc } from '../../../../../test/support/fast-check.ts'
import { octetCounted, type SyslogMessage, syslogMessage } from './syslog-message.ts'

const message: SyslogMessage = {
  severity: 'informational',
  timestamp: 1_767_225_600,
  hostname: 'muster.example.com',
  appName: 'muster',
  messageId: 'LOGIN',
  data: [],
  text: 'hello',
}
const head = '<134>1 2026-01-01T00:00:00Z muster.example.com muster - LOGIN'

test.each([
  ['plain text', {}, `${head} - hello`],
  ['a severity', { severity: 'critical' }, `${head.replace('134', '130')} - hello`],
  ['text that is not ASCII, behind a byte order mark', { text: 'é' }, `${head} - \uFEFFé`],
  ['nothing, without a mark', { text: '' }, `${head} - `],
  ['an invalid host name', { hostname: ' ö\n' }, `${head.replace('muster.example.com', '-')} - hello`],
  [
    'a message type that is too long',
    { messageId: 'MALICIOUS_BROWSER_EXTENSION_DETECTED' },
    `${head.replace('LOGIN', 'MALICIOUS_BROWSER_EXTENSION_DETE')} - hello`,
  ],
  [
    'structured data with escapes',
    {
      data: [
        {
          id: 'muster@32473',
          parameters: [
            ['a', 'x"y\\z]'],
            ['b', ''],
          ],
        },
      ],
    },
    `${head} [muster@32473 a="x\\"y\\\\z\\]" b=""] hello`,
  ],
  [
    'invalid names in structured data',
    { data: [{ id: 'a =]"b', parameters: [['n ="]', 'v']] }] },
    `${head} [ab n="v"] hello`,
  ],
] as const)('writes %s', (_, changed, expected) => {
  expect(syslogMessage({ ...message, ...(changed as Partial<SyslogMessage>) }).toString()).toBe(expected)
})

/** Splits octet-counted messages like a receiver. */
function frames(stream: Buffer): Buffer[] {
  const found: Buffer[] = []
  for (let at = 0; at < stream.length; ) {
    const space = stream.indexOf(' ', at)
    const end = space + 1 + Number(stream.toString('latin1', at, space))
    found.push(stream.subarray(space + 1, end))
    at = end
  }
  return found
}

function parse(frame: Buffer): { fields: string[]; values: string[]; text: string } {
  const match = /^<(\d+)>1 (\S+) (\S+) (\S+) - (\S+) ((?:\[(?:[^\\\]]|\\.)*\])+|-) (.*)$/s.exec(
    frame.toString(),
  )
  if (!match) throw new Error(`no syslog: ${frame}`)
  const [, priority = '', time = '', host = '', app = '', type = '', data = '', text = ''] = match
  const values = [...data.matchAll(/="((?:[^\\"\]]|\\.)*)"/gs)].map(([, value]) =>
    (value ?? '').replace(/\\(.)/gs, '$1'),
  )
  return { fields: [priority, time, host, app, type], values, text: text.replace(/^\uFEFF/, '') }
}

const text = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: fc.constantFrom('"', '\\', ']', '[', '\n', ' ', '7', 'é') }),
)

test('a receiver can split messages with any content', () => {
  const one = fc.record({ values: fc.array(text, { minLength: 1, maxLength: 3 }), text })
  fc.assert(
    fc.property(fc.array(one, { maxLength: 5 }), (withoutEmpty) => {
      const stream = octetCounted(
        withoutEmpty.map(({ values, text }) => {
          const parameters = values.map((value, index) => [`p${index}`, value] as const)
          return syslogMessage({ ...message, data: [{ id: 'muster@32473', parameters }], text })
        }),
      )
      expect(frames(stream).map(parse)).toEqual(
        withoutEmpty.map(({ values, text }) => ({
          fields: ['134', '2026-01-01T00:00:00Z', 'muster.example.com', 'muster', 'LOGIN'],
          values,
          text,
        })),
      )
    }),
  )
})
