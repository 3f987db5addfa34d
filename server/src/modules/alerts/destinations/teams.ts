import type { Detection } from '@muster/contract/records/detection'
import { cut, type Destination, lineFacts, moreText, originText, severityNames } from './destination.ts'

/** Teams rejects messages of more than 28 KB. Titles of this length keep a message of 20 lines below. */
const lineMaximum = 200

const colors: Readonly<Record<Detection['severity'], string>> = {
  CRITICAL: 'attention',
  HIGH: 'attention',
  MEDIUM: 'warning',
  LOW: 'default',
}

/** Escapes the characters of Markdown, which text blocks render, so that a text cannot become a link or a heading. */
const escaped = (text: string): string => text.replace(/[\\`*_{}[\]()#+\-.!|<>~]/g, '\\$&')

/** Workflows webhook of Microsoft Teams with an Adaptive Card. It responds with 202. */
export const teams: Destination = {
  key: 'NONE',
  render: (message) => {
    const more = moreText(message)
    const block = (text: string, options: object) => ({ type: 'TextBlock', text, wrap: true, ...options })
    const lines = message.lines.flatMap((line) => {
      const facts = lineFacts(line)
      return [
        block(escaped(cut(line.title, lineMaximum)), { spacing: 'medium' }),
        ...(facts === '' ? [] : [block(escaped(facts), { isSubtle: true, size: 'small', spacing: 'none' })]),
      ]
    })
    return {
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.2',
            fallbackText: cut(message.title, lineMaximum),
            body: [
              block(escaped(cut(message.title, lineMaximum)), {
                size: 'large',
                weight: 'bolder',
                color: colors[message.severity],
              }),
              ...lines,
              ...(more ? [block(more, { isSubtle: true })] : []),
              block(escaped(cut(`${severityNames[message.severity]} · ${originText(message)}`, 400)), {
                isSubtle: true,
                size: 'small',
                separator: true,
              }),
            ],
            actions: [{ type: 'Action.OpenUrl', title: 'View in Muster', url: message.link }],
          },
        },
      ],
    }
  },
}
