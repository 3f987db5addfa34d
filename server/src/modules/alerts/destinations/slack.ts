import { cut, type Destination, lineFacts, moreText, originText, severityNames } from './destination.ts'

/** Limits of Block Kit: characters of a header, of a section, and of the text for notifications. */
const headerMaximum = 150
const sectionMaximum = 3000
const textMaximum = 4000

/** Escapes the three characters that have a meaning in Slack's texts, so that a text cannot mention people or become a link. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A text without the characters that end or style a link. */
const linkText = (text: string): string => escaped(text).replaceAll('|', '¦')

/** Incoming webhook of Slack with Block Kit. Slack responds with the text `ok`. */
export const slack: Destination = {
  key: 'NONE',
  render: (message) => {
    const more = moreText(message)
    const plain = (text: string) => ({ type: 'plain_text', text, emoji: false })
    const facts = (text: string) => (text === '' ? '' : `\n${escaped(text)}`)
    const lines = message.lines.map((line) => ({
      type: 'section',
      text: {
        type: 'mrkdwn',
        text: cut(`<${line.link}|${linkText(line.title)}>${facts(lineFacts(line))}`, sectionMaximum),
        verbatim: true,
      },
    }))
    return {
      text: cut(escaped(`${severityNames[message.severity]}: ${message.title}`), textMaximum),
      blocks: [
        { type: 'header', text: plain(cut(message.title, headerMaximum)) },
        ...lines,
        ...(more ? [{ type: 'section', text: plain(more) }] : []),
        {
          type: 'context',
          elements: [
            plain(cut(`${severityNames[message.severity]} · ${originText(message)}`, sectionMaximum)),
          ],
        },
        {
          type: 'actions',
          elements: [{ type: 'button', text: plain('View in Muster'), url: message.link, action_id: 'view' }],
        },
      ],
    }
  },
  refusal: ({ answer }) =>
    answer.trim() === 'ok' ? undefined : 'the response is not that of a Slack webhook: check the URL',
}
