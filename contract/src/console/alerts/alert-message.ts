import { type Static, Type } from 'typebox'
import { closed, count, flag, id, listOf, nullable, oneOf, text, timestamp, url } from '../../api/fields.ts'
import { severities } from '../../records/detection.ts'
import { priorities } from '../../risk/risk-levels.ts'
import { alertTriggers } from './alert-kinds.ts'

/** Number of lines of a message. More are only counted. */
export const alertLinesMaximum = 20
/** Length of a title. */
export const alertTitleMaximum = 300

const AlertLine = closed(
  {
    trigger: oneOf(alertTriggers, 'Kind of the events.', 'DETECTION'),
    title: text('What happened.', 'Ada Byron entered a password on a phishing site.', alertTitleMaximum),
    count: count('Number of events that the line stands for.', 7),
    severity: nullable(oneOf(severities, 'Highest severity; null if there is none.', 'HIGH')),
    priority: nullable(oneOf(priorities, 'Most urgent priority; null if there is none.', 'P1')),
    timestamp: timestamp('Time of the latest event.'),
    link: url('Page in the console.', 'https://muster.example.com/console/incidents/01937b5e'),
  },
  {
    $id: 'AlertLine',
    description: 'Events that belong together: an incident, findings of a type, new apps.',
  },
)
export type AlertLine = Static<typeof AlertLine>

/** A message to people, before it is rendered for a destination. Webhooks get it as it is. */
export const AlertMessage = closed(
  {
    version: Type.Literal('1', { description: 'Version of the format.', examples: ['1'] }),
    id: id('ID of the message. It stays the same when the message is sent again.'),
    timestamp: timestamp('Time when the message was written.'),
    object: Type.Literal('ALERT', { description: 'Kind of the message.', examples: ['ALERT'] }),
    test: flag('True if it is a test message.', false),
    digest: flag('True if it is a digest.', false),
    organization: closed(
      { id: id('ID of the organization.'), name: text('Its name.', 'Example Inc.', 128) },
      { description: 'The organization.' },
    ),
    rule: closed(
      { id: id('ID of the rule.'), name: text('Its name.', 'Phishing', 128) },
      { description: 'The rule.' },
    ),
    title: text('Title.', '7 people on evil.example: Phishing', alertTitleMaximum),
    severity: oneOf(severities, 'Highest severity of the lines; priorities P1 to P4 count as such.', 'HIGH'),
    count: count('Number of events.', 7),
    link: url('Page in the console.', 'https://muster.example.com/console/incidents/01937b5e'),
    lines: listOf(AlertLine, 'The events, most severe first.', [], alertLinesMaximum),
    moreLines: count('Number of lines that were left out.', 0),
  },
  { $id: 'AlertMessage', description: 'A message of an alert rule.' },
)
export type AlertMessage = Static<typeof AlertMessage>
