import type { IncidentEntry } from '@muster/contract/console/incidents/console-incidents'
import type { IncidentAdditions } from '@muster/contract/console/incidents/incident'
import { counted } from '../../ui/text/counted.ts'
import { labelOf } from '../../ui/text/labels.ts'

/** Returns the assignee of the open detections, or the number of several; null if nobody works on them. */
export const assigneeText = ({ assignees, assigneeName }: IncidentAdditions): string | null =>
  assignees > 1 ? counted(assignees, 'administrator') : assigneeName

/** Returns the sentence of an entry of a timeline. */
export function incidentEntryText({ kind, type, author, to, detections }: IncidentEntry): string {
  const what = counted(detections, 'detection')
  const who = author ?? 'Muster'
  switch (kind) {
    case 'DETECTION':
      return labelOf(type ?? '')
    case 'FINDING':
      return `New finding: ${labelOf(type ?? '').toLowerCase()}`
    case 'ASSIGNEE':
      return to === null ? `${who} removed the assignee of ${what}` : `${who} assigned ${what} to ${to}`
    case 'NOTE':
      return `${who} added a note to ${what}`
  }
}
