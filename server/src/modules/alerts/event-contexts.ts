import { type Employee, employees } from '@muster/contract/records/employee'
import { priorityOf } from '@muster/contract/risk/risk-levels'
import type { Reader } from '../../kernel/store/sql.ts'
import { idIndexOf, tableOf } from '../../kernel/store/tables.ts'
import { type AlertEvent, type ContextOf, employeeIdOf, findingOf } from './alert-facts.rules.ts'

/** Priority scores of findings by ID; null while a finding has none. Resolved and removed findings are absent. */
async function scoresOf(
  reader: Reader,
  org: number,
  ids: readonly string[],
): Promise<Map<string, number | null>> {
  const source = reader.dialect.seekByValues('findings', 'id', 'findings_id')
  const rows = await reader.all<{ id: string; score: number | null }>(
    `SELECT t.id AS id, t.priority_score AS score FROM ${source} WHERE t.state = 'OPEN'`,
    [JSON.stringify(ids), org],
  )
  return new Map(rows.map(({ id, score }) => [id, score]))
}

async function groupsOf(reader: Reader, org: number, ids: readonly string[]): Promise<Map<string, string[]>> {
  const table = tableOf(employees)
  const source = reader.dialect.seekByValues(table.name, 'id', idIndexOf(table))
  const rows = await reader.all<{ id: string; record: string }>(
    `SELECT t.id AS id, t.record AS record FROM ${source}`,
    [JSON.stringify(ids), org],
  )
  return new Map(rows.map(({ id, record }) => [id, [...(JSON.parse(record) as Employee).groups]]))
}

/** Facts of events that are not in them, and the findings whose priority is not known yet. */
export interface EventContexts {
  readonly contextOf: ContextOf
  /** True if the event is about an open finding that has no priority yet. */
  readonly isUndecided: (event: AlertEvent) => boolean
}

/** Reads the groups of employees and the priorities of findings. */
export async function eventContexts(
  reader: Reader,
  org: number,
  events: readonly AlertEvent[],
): Promise<EventContexts> {
  const people = [...new Set(events.flatMap((event) => employeeIdOf(event) ?? []))]
  const findingIds = [
    ...new Set(events.flatMap((event) => (event.object === 'FINDING' ? [findingOf(event).id] : []))),
  ]
  const groups = people.length === 0 ? new Map<string, string[]>() : await groupsOf(reader, org, people)
  const scores = findingIds.length === 0 ? new Map<string, null>() : await scoresOf(reader, org, findingIds)
  const scoreOf = (event: AlertEvent) =>
    event.object === 'FINDING' && event.new !== null ? scores.get(findingOf(event).id) : undefined
  return {
    contextOf: (event) => {
      const score = scoreOf(event) ?? null
      return {
        groups: groups.get(employeeIdOf(event) ?? '') ?? [],
        priority: score === null ? null : priorityOf(score),
      }
    },
    isUndecided: (event) => scoreOf(event) === null,
  }
}
