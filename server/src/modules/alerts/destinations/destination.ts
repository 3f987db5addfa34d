import type { AlertMessage } from '@muster/contract/console/alerts/alert-message'
import type { Detection } from '@muster/contract/records/detection'
import type { SendOutcome } from '../../webhooks/delivery/webhook-sender.ts'

/** Secret part of a rule: where its messages go. */
export interface AlertTarget {
  readonly url?: string
  readonly key?: string
}

/** A kind of receiver of alerts by HTTP. */
export interface Destination {
  /** URL if the rule has none. */
  readonly defaultUrl?: string
  /** Use of the key. */
  readonly key: 'REQUIRED' | 'OPTIONAL' | 'NONE'
  /** Validates the key. @returns the violated requirement, worded to follow "must" */
  readonly keyMistake?: (key: string) => string | undefined
  /** True if the key signs requests. */
  readonly signs?: true
  /** Returns the body of a request. The same message gives the same body. */
  readonly render: (message: AlertMessage, target: AlertTarget) => unknown
  /** Returns the reason why a response with a 2xx status is no success; undefined if it is one. Default: every 2xx status is. */
  readonly refusal?: (outcome: Pick<SendOutcome, 'status' | 'answer'>) => string | undefined
}

/** Names of severities in messages. */
export const severityNames: Readonly<Record<Detection['severity'], string>> = {
  CRITICAL: 'Critical',
  HIGH: 'High',
  MEDIUM: 'Medium',
  LOW: 'Low',
}

/** Cuts a text to a length in UTF-16 code units, as the receivers count, and never within a character. */
export function cut(text: string, maximum: number): string {
  if (text.length <= maximum) return text
  const kept = text.slice(0, maximum - 1)
  return `${/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept}…`
}

/** Returns the words below a title: rule, organization and reference. */
export const originText = ({ organization, rule, id, test }: AlertMessage): string =>
  `${test ? 'Test message of rule' : 'Rule'} ${rule.name} · ${organization.name} · Reference ${id.slice(-12)}`

/** Returns the facts of a line that follow its title. */
export function lineFacts({ severity, priority, count }: AlertMessage['lines'][number]): string {
  const facts = [
    severity === null ? undefined : severityNames[severity],
    priority ?? undefined,
    count > 1 ? `${count} events` : undefined,
  ]
  return facts.filter(Boolean).join(', ')
}

/** Returns the words for lines that were left out; undefined if there are none. */
export const moreText = ({ moreLines }: AlertMessage): string | undefined =>
  moreLines === 0 ? undefined : `And ${moreLines} more`
