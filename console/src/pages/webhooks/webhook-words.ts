import type { Webhook } from '@muster/contract/console/console-webhooks'

/** Returns the name of an endpoint, or its host if it has no name. */
export const webhookName = ({ name, url }: Pick<Webhook, 'name' | 'url'>): string =>
  name ?? URL.parse(url)?.host ?? url

/** Returns the health of an endpoint as a label and a color. */
export function webhookHealth(
  webhook: Pick<Webhook, 'enabled' | 'disabledReason' | 'dayDelivered' | 'dayFailed'>,
): {
  readonly text: string
  readonly tone: string
} {
  const { enabled, disabledReason, dayDelivered, dayFailed } = webhook
  if (!enabled && disabledReason === 'FAILURES') return { text: 'Disabled after failures', tone: 'critical' }
  if (!enabled) return { text: 'Disabled', tone: '' }
  if (dayDelivered + dayFailed === 0) return { text: 'Enabled', tone: 'accent' }
  if (dayFailed === 0) return { text: 'Healthy', tone: 'good' }
  return dayFailed < dayDelivered
    ? { text: 'Some failures', tone: 'medium' }
    : { text: 'Failing', tone: 'high' }
}

/** A custom header. */
export interface WebhookHeader {
  readonly name: string
  readonly value: string
}

/**
 * Parses headers, one per line: `Authorization: Bearer …`.
 *
 * @returns the headers, and the numbers of invalid lines, from 1
 */
export function headersIn(text: string): {
  readonly headers: WebhookHeader[]
  readonly wrongLines: number[]
} {
  const headers: WebhookHeader[] = []
  const wrongLines: number[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const [, name, value] = /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*:\s*(.+?)\s*$/.exec(line) ?? []
    if (name === undefined || value === undefined) wrongLines.push(index + 1)
    else headers.push({ name, value })
  }
  return { headers, wrongLines }
}
