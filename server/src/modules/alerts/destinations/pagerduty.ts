import type { Detection } from '@muster/contract/records/detection'
import { cut, type Destination, lineFacts } from './destination.ts'

const summaryMaximum = 1024

const severityOf: Readonly<Record<Detection['severity'], 'critical' | 'error' | 'warning' | 'info'>> = {
  CRITICAL: 'critical',
  HIGH: 'error',
  MEDIUM: 'warning',
  LOW: 'info',
}

/**
 * Events API v2 of PagerDuty. The ID of the message is the deduplication key: an event that is sent again, after a crash or by
 * an administrator, belongs to the same alert. Responds with 202.
 */
export const pagerDuty: Destination = {
  defaultUrl: 'https://events.pagerduty.com/v2/enqueue',
  key: 'REQUIRED',
  keyMistake: (key) =>
    /^[0-9A-Za-z]{32}$/.test(key)
      ? undefined
      : 'be the integration key of an Events API v2 integration: 32 letters and digits',
  render: (message, { key }) => {
    const { organization, rule, lines, moreLines, severity, link } = message
    return {
      routing_key: key,
      event_action: 'trigger',
      dedup_key: message.id,
      client: 'Muster',
      client_url: link,
      links: [{ href: link, text: 'View in Muster' }],
      payload: {
        summary: cut(message.title, summaryMaximum),
        timestamp: new Date(message.timestamp * 1000).toISOString(),
        severity: severityOf[severity],
        source: new URL(link).host,
        component: 'Muster',
        group: organization.name,
        class: [...new Set(lines.map(({ trigger }) => trigger))].join(','),
        custom_details: {
          rule: rule.name,
          organization: organization.name,
          test: message.test,
          events: message.count,
          lines: lines.map((line) => [line.title, lineFacts(line)].filter(Boolean).join(' · ')),
          more_lines: moreLines,
        },
      },
    }
  },
  refusal: ({ status }) =>
    status === 202 ? undefined : `HTTP status ${status} instead of 202: check the URL`,
}
