import type { AlertTrigger } from '@muster/contract/console/alerts/alert-kinds'
import {
  type AlertLine,
  type AlertMessage,
  alertLinesMaximum,
  alertTitleMaximum,
} from '@muster/contract/console/alerts/alert-message'
import { incidentTitle } from '@muster/contract/console/incidents/incident-title'
import { type Detection, severities } from '@muster/contract/records/detection'
import { findingWords } from '@muster/contract/records/finding-words'
import { type Priority, priorities } from '@muster/contract/risk/risk-levels'
import { visibleLine } from '@muster/contract/text/visible-text'
import { firstCharacters } from '../../kernel/lib/text.ts'
import { siteOf } from '../incidents/incident-groups.rules.ts'
import {
  type AlertEvent,
  type ContextOf,
  detectionOf,
  type EventContext,
  findingOf,
  triggerOfEvent,
} from './alert-facts.rules.ts'

type Severity = Detection['severity']

/** Events that belong together. */
export type EventGroup = readonly [AlertEvent, ...AlertEvent[]]

const severityOfPriority: Readonly<Record<Priority, Severity>> = {
  P1: 'CRITICAL',
  P2: 'HIGH',
  P3: 'MEDIUM',
  P4: 'LOW',
}

/** Severity of events that have none. */
const quietSeverity: Severity = 'LOW'

const listPages: Readonly<Record<AlertTrigger, string>> = {
  DETECTION: 'incidents',
  FINDING: 'findings',
  NEW_APP: 'apps',
  NEW_UNRECOGNIZED_APP: 'apps-other',
  SILENT_AGENT: 'browsers',
}

/** Returns a text about users' data as one line of limited length, never empty. */
export const titleText = (text: string): string =>
  firstCharacters(visibleLine(text), alertTitleMaximum).trim() || 'Alert'

const nameOfApp = ({ new: now }: AlertEvent): string =>
  String(now?.friendlyName ?? now?.domain ?? now?.loginUrl ?? 'an app')

const severest = (of: readonly Severity[]): Severity | null =>
  severities.toReversed().find((one) => of.includes(one)) ?? null

/** Returns the words for a group: as the list of incidents shows it, or the sentence of a single event. */
function lineTitle(trigger: AlertTrigger, group: EventGroup, count: number): string {
  const [first, ...others] = group
  if (trigger === 'DETECTION') {
    const all = group.map(detectionOf)
    const people = new Set(all.map(({ employeeId }) => employeeId)).size
    const site = siteOf(detectionOf(first).url)
    const title = incidentTitle(
      {
        detectionTypes: [...new Set(all.map(({ detectionType }) => detectionType))],
        kind: people > 1 ? 'MANY_PEOPLE' : 'ONE_PERSON',
        site: site === '' ? null : site,
        people,
      },
      detectionOf(first).employee.email,
    )
    return people > 1 && count > group.length ? `${title} or more` : title
  }
  if (others.length === 0) return first.description
  if (trigger === 'FINDING') return `${count} new findings: ${findingWords[findingOf(first).type].label}`
  if (trigger === 'SILENT_AGENT') return `${count} browsers without contact`
  const names = [...new Set(group.map(nameOfApp))]
  const some = names.slice(0, 5).join(', ')
  const rest = names.length > 5 ? ' and others' : ''
  return `${count} new ${trigger === 'NEW_APP' ? 'apps' : 'unrecognized apps'}: ${some}${rest}`
}

function lineLink(publicUrl: string, trigger: AlertTrigger, group: EventGroup): string {
  const [first, ...others] = group
  const page = `${publicUrl}/console/${listPages[trigger]}`
  const { id } = first.new as { id: string }
  // The ID of each detection finds its incident.
  if (trigger === 'DETECTION' || others.length === 0) return `${page}/${encodeURIComponent(id)}`
  return trigger === 'FINDING' ? `${page}?type=${findingOf(first).type}&state=OPEN` : page
}

/**
 * Returns the line of a group.
 *
 * @param more number of events of the group that are not given
 */
export function lineOf(publicUrl: string, group: EventGroup, contextOf: ContextOf, more: number): AlertLine {
  const [first] = group
  const count = group.length + more
  const trigger = triggerOfEvent(first)
  const urgent = group.map((event) => contextOf(event).priority).filter((one) => one !== null)
  const priority = trigger === 'FINDING' ? (priorities.find((one) => urgent.includes(one)) ?? null) : null
  return {
    trigger,
    title: titleText(lineTitle(trigger, group, count)),
    count,
    severity: trigger === 'DETECTION' ? severest(group.map((event) => detectionOf(event).severity)) : null,
    priority,
    timestamp: Math.max(...group.map(({ timestamp }) => timestamp)),
    link: lineLink(publicUrl, trigger, group),
  }
}

const weightOf = ({ severity, priority }: Pick<AlertLine, 'severity' | 'priority'>): Severity =>
  severity ?? (priority === null ? quietSeverity : severityOfPriority[priority])

/** Returns the position of an event's severity in the list of severities. */
export function severityRank(event: AlertEvent, { priority }: EventContext): number {
  const severity = triggerOfEvent(event) === 'DETECTION' ? detectionOf(event).severity : null
  return severities.indexOf(weightOf({ severity, priority }))
}

const nouns: Readonly<Record<AlertTrigger, readonly [one: string, many: string]>> = {
  DETECTION: ['incident', 'incidents'],
  FINDING: ['finding', 'findings'],
  NEW_APP: ['new app', 'new apps'],
  NEW_UNRECOGNIZED_APP: ['new unrecognized app', 'new unrecognized apps'],
  SILENT_AGENT: ['silent agent', 'silent agents'],
}

/** Returns the title of a message about several groups: `2 incidents, 12 findings`. */
function summary(lines: readonly AlertLine[], moreLines: number): string {
  const byTrigger = Map.groupBy(lines, ({ trigger }) => trigger)
  const parts = [...byTrigger].map(([trigger, own]) => {
    // An incident is one line, whatever the number of its detections.
    const number = trigger === 'DETECTION' ? own.length : own.reduce((sum, { count }) => sum + count, 0)
    return `${number} ${nouns[trigger][number === 1 ? 0 : 1]}`
  })
  return [...parts, ...(moreLines > 0 ? ['and others'] : [])].join(', ')
}

/** Facts of a message besides its lines. */
export type MessageHead = Pick<
  AlertMessage,
  'id' | 'timestamp' | 'test' | 'digest' | 'organization' | 'rule'
> & { readonly publicUrl: string }

/**
 * Returns a message about groups of events, the most severe first.
 *
 * @param moreLines number of groups that are not given
 */
export function composeMessage(
  { publicUrl, ...head }: MessageHead,
  all: readonly AlertLine[],
  moreLines = 0,
): AlertMessage {
  const rank = (line: AlertLine) => severities.indexOf(weightOf(line))
  const lines = all.toSorted((one, other) => rank(other) - rank(one) || other.timestamp - one.timestamp)
  const [first] = lines
  const isAlone = lines.length === 1 && moreLines === 0
  const title = isAlone && first ? first.title : summary(lines, moreLines)
  return {
    version: '1',
    object: 'ALERT',
    ...head,
    title: titleText(head.digest ? `${head.rule.name}: ${title}` : title),
    severity: severest(lines.map(weightOf)) ?? quietSeverity,
    count: lines.reduce((sum, { count }) => sum + count, 0),
    link: isAlone && first ? first.link : `${publicUrl}/console/incidents`,
    lines: lines.slice(0, alertLinesMaximum),
    moreLines: moreLines + Math.max(0, lines.length - alertLinesMaximum),
  }
}
