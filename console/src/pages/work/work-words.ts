import type { WorkEntry } from '@muster/contract/console/work/work-fields'
import { labelOf } from '../../ui/text/labels.ts'

const statusTexts: Readonly<Record<string, string>> = {
  TO_DO: 'set it to do',
  SNOOZED: 'snoozed it',
  RISK_ACCEPTED: 'accepted the risk',
}

/** Returns the sentence of an entry of a history. */
export function entryText({ kind, author, from, to }: WorkEntry): string {
  const who = author ?? 'Muster'
  switch (kind) {
    case 'STATE':
      return to === 'RESOLVED' ? 'Resolved' : 'Opened again'
    case 'STATUS':
      return author === null
        ? `To do again: no longer ${labelOf(from ?? '').toLowerCase()}`
        : `${who} ${statusTexts[to ?? ''] ?? ''}`
    case 'ASSIGNEE':
      return to === null ? `${who} removed the assignee` : `${who} assigned it to ${to}`
    case 'NOTE':
      return `${who} wrote`
    case 'ASKED':
      return `${who} asked the employee by e-mail`
  }
}
