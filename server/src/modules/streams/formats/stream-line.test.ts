import { eventObjects, exampleEventOf, type WebhookEvent } from '@muster/contract/events/event-objects'
import { describe, expect, test } from 'vitest'
import { anyCharacter, fc } from '../../../../../test/support/fast-check.ts'
import { streamFormats, streamLine, streamMessage } from './stream-line.ts'

const without = (record: unknown, member: string) =>
  Object.fromEntries(Object.entries(record as object).filter(([name]) => name !== member))
const streamed = (event: object) => ({ body: JSON.stringify(event), organizationId: 'org-1' })

describe.each(streamFormats)('as %s', (format) => {
  test.each(eventObjects)('%s is one line', (object) => {
    const line = streamLine(streamed(exampleEventOf(object)), format)
    expect(line).toMatch(/^[^\p{Cc}]+$/u)
    expect(line).toContain(object)
  })
})

test.each([
  ['a finding', { ...exampleEventOf('FINDING'), new: without(exampleEventOf('FINDING').new, 'employee') }],
  ['a failed sign-in', { ...exampleEventOf('ADMIN_SIGN_IN_FAILED'), actor: null }],
  [
    'a key',
    { ...exampleEventOf('API_KEY_ADDED'), new: without(exampleEventOf('API_KEY_ADDED').new, 'permissions') },
  ],
])('formats %s of an older version in every format', (_, event) => {
  for (const format of streamFormats)
    expect(streamLine(streamed(event), format)).toContain((event as { object: string }).object)
})

test('JSON is the webhook body in ASCII with the organization appended', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (description) => {
      const event = { ...exampleEventOf('LOGIN'), description }
      const line = streamLine(streamed(event), 'json')
      expect(line).toMatch(/^[ -~]+$/)
      expect(JSON.parse(line)).toEqual({ ...event, organizationId: 'org-1' })
      expect(Object.keys(JSON.parse(line)).slice(0, 3)).toEqual(['version', 'id', 'timestamp'])
    }),
  )
})

const cefFields = (event: object): string => streamLine(streamed(event), 'cef').split('|').slice(7).join('|')
const audit = (actor: object | null) => ({ ...exampleEventOf('EMPLOYEE_ADDED'), actor })

test.each([
  [
    'an employee in a browser acts',
    exampleEventOf('LOGIN'),
    / suser=ada\.byron@example\.com suid=\S+ src=203\.0\.113\.7 /,
  ],
  ['a record is of somebody', exampleEventOf('ACCOUNT'), / duser=ada\.byron@example\.com duid=/],
  [
    'an IPv6 address has its own key',
    audit({ source: 'UI', email: 'o@example.com', sourceIpAddress: '2001:db8::1', role: 'OWNER' }),
    / suser=o@example\.com duser=ada\.byron@example\.com duid=\S+ c6a2=2001:db8::1 c6a2Label=Source IPv6 Address /,
  ],
  [
    'the command line has a user',
    audit({ source: 'CLI', user: 'root' }),
    / suser=root .* cs3=CLI cs3Label=actorSource/,
  ],
  ['nobody acts', audit(null), /msg=An employee was added\. duser=/],
  ['a sign-in fails', exampleEventOf('ADMIN_SIGN_IN_FAILED'), / outcome=failure /],
])('in CEF %s', (_, event, expected) => {
  expect(cefFields(event)).toMatch(expected)
})

test('cuts CEF values to the limits of the dictionary and omits a record that is too long', () => {
  const event = exampleEventOf('LOGIN') as WebhookEvent & { new: object }
  const long = { ...event, new: { ...event.new, userAgent: 'u'.repeat(8000) } }
  expect(cefFields(long)).toContain(`requestClientApplication=${'u'.repeat(1023)} `)
  expect(cefFields(long)).not.toContain('cs4')
})

test('a syslog message has the event type in its header', () => {
  const message = streamMessage(streamed(exampleEventOf('PHISHING')), 'json', 'muster.example.com').toString()
  expect(message).toMatch(
    /^<131>1 2025-11-21T08:00:00Z muster\.example\.com muster - PHISHING \[muster@32473 org="org-1" id="\S{36}" object="PHISHING" category="DETECTION"\]\[origin software="muster" swVersion="\S+"\] \{"version"/,
  )
})
