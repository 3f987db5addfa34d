import type { AlertMessage } from '@muster/contract/console/alerts/alert-message'
import type { Message } from '../../notices/notice-layout.ts'
import { cut, lineFacts, moreText, severityNames } from './destination.ts'

/** Longer subjects are cut by mail programs anyway. */
const subjectMaximum = 150

/** Returns the e-mail of a message. */
export function alertMail(message: AlertMessage): Message {
  const { title, lines, organization, rule, test, severity, digest } = message
  const more = moreText(message)
  return {
    subject: cut(title, subjectMaximum),
    parts: [
      test
        ? 'This is a test message. Nothing happened.'
        : `Muster reports for the organization ${organization.name}:`,
      {
        list: [
          ...lines.map((line) => [line.title, lineFacts(line)].filter(Boolean).join(' · ')),
          ...(more ? [more] : []),
        ],
      },
      {
        facts: [...(digest ? [] : [['Severity', severityNames[severity]] as const]), ['Rule', rule.name]],
      },
      { link: message.link, label: 'View in Muster' },
      'You get this e-mail because of an alert rule. Administrators can change it in the console under Alerts.',
    ],
  }
}
