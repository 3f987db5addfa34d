import type { JsonSchema } from '@muster/contract/api/json-schema'
import { AlertMessage } from '@muster/contract/console/alerts/alert-message'
import { Compile } from 'typebox/schema'
import { describe, expect, test } from 'vitest'
import { integrationKey } from '../../../../../test/support/alert-world.ts'
import { fc } from '../../../../../test/support/fast-check.ts'
import {
  adaptiveCardMessage,
  pagerDutyEvent,
  slackMessage,
} from '../../../../../test/support/published-schemas.ts'
import { composeMessage, titleText } from '../compose-message.rules.ts'
import { destinations, type HttpDestination } from './destinations.ts'
import { alertMail } from './email.ts'

const schemas: Readonly<Record<HttpDestination, JsonSchema>> = {
  SLACK: slackMessage,
  TEAMS: adaptiveCardMessage,
  PAGERDUTY: pagerDutyEvent,
  WEBHOOK: AlertMessage as unknown as JsonSchema,
}
/** Maximum size of a message to Teams, and of an event of PagerDuty. */
const bytesMaximum: Readonly<Record<HttpDestination, number>> = {
  SLACK: 100_000,
  TEAMS: 28 * 1024,
  PAGERDUTY: 512 * 1024,
  WEBHOOK: 1024 * 1024,
}

const publicUrl = 'https://muster.example.com'
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.constantFrom(
    '<!channel> & <https://evil.example|bank>',
    '[x](https://evil.example) **y**',
    '漢'.repeat(400),
    '😀'.repeat(300),
    '&'.repeat(400),
  ),
)
const line = fc.record({
  trigger: fc.constantFrom('DETECTION', 'FINDING', 'NEW_APP', 'NEW_UNRECOGNIZED_APP', 'SILENT_AGENT'),
  title: anyText.map(titleText),
  count: fc.integer({ min: 1, max: 100_000 }),
  severity: fc.constantFrom(null, 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL'),
  priority: fc.constantFrom(null, 'P1', 'P4'),
  timestamp: fc.integer({ min: 1, max: 4_000_000_000 }),
  link: fc.constant(`${publicUrl}/console/incidents/01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90`),
})
const message = fc
  .record({
    lines: fc.array(line, { minLength: 1, maxLength: 30 }),
    name: anyText.map((text) => [...titleText(text)].slice(0, 128).join('')),
    digest: fc.boolean(),
    test: fc.boolean(),
  })
  .map(({ lines, name, digest, test: isTest }) =>
    composeMessage(
      {
        publicUrl,
        id: '01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90',
        timestamp: 1_763_712_000,
        test: isTest,
        digest,
        organization: { id: '01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e91', name },
        rule: { id: '01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e92', name },
      },
      lines as Parameters<typeof composeMessage>[1],
    ),
  )
const target = { url: 'https://hooks.example.com/x', key: integrationKey }

describe.each(Object.keys(destinations) as HttpDestination[])('%s', (name) => {
  test('every message matches the published schema and its limits, and is the same each time', () => {
    const validator = Compile(schemas[name] as never)
    fc.assert(
      fc.property(message, (one) => {
        const body = destinations[name].render(one, target)
        expect(validator.Errors(body)[1]).toEqual([])
        const text = JSON.stringify(body)
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytesMaximum[name])
        expect(text.isWellFormed()).toBe(true)
        expect(JSON.stringify(destinations[name].render(one, target))).toBe(text)
      }),
      { numRuns: 150 },
    )
  })
})

const evil = (title: string) =>
  composeMessage(
    {
      publicUrl,
      id: '01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90',
      timestamp: 1,
      test: false,
      digest: false,
      organization: { id: 'o', name: 'Example' },
      rule: { id: 'r', name: 'Rule' },
    },
    [
      {
        trigger: 'DETECTION',
        title,
        count: 1,
        severity: 'HIGH',
        priority: null,
        timestamp: 1,
        link: `${publicUrl}/console/incidents/1`,
      },
    ],
  )

test('a title is text: it mentions nobody in Slack and is no link in Slack or Teams', () => {
  const slack = destinations.SLACK.render(evil('<!channel> <https://evil.example|bank>'), target) as {
    text: string
    blocks: { text?: { type: string; text: string } }[]
  }
  // Slack does not interpret plain text.
  const interpreted = slack.blocks.flatMap(({ text }) => (text?.type === 'mrkdwn' ? [text.text] : []))
  expect([slack.text, ...interpreted]).toEqual([
    'High: &lt;!channel&gt; &lt;https://evil.example|bank&gt;',
    `<${publicUrl}/console/incidents/1|&lt;!channel&gt; &lt;https://evil.example¦bank&gt;>\nHigh`,
  ])
  const teams = JSON.stringify(destinations.TEAMS.render(evil('[bank](https://evil.example)'), target))
  expect(teams).toContain('\\\\[bank\\\\]\\\\(')
  expect(alertMail(evil('a\r\nBcc: x@evil.example')).subject).not.toMatch(/[\r\n]/)
})

test.each([
  ['SLACK', { status: 200, answer: 'ok' }, true],
  ['SLACK', { status: 200, answer: '<html>Sign in</html>' }, false],
  ['TEAMS', { status: 202, answer: '' }, true],
  ['TEAMS', { status: 200, answer: '1' }, true],
  ['PAGERDUTY', { status: 202, answer: '{"status":"success"}' }, true],
  ['PAGERDUTY', { status: 200, answer: '' }, false],
  ['WEBHOOK', { status: 204, answer: '' }, true],
] as const)('%s: %j is a success: %s', (name, outcome, isSuccess) => {
  expect(destinations[name].refusal?.(outcome) === undefined).toBe(isSuccess)
})
