import type { DetectionKind, FlowName, Flows } from '@muster/contract/console/trends/daily-figures'
import { detectionTypes } from '@muster/contract/records/detection'
import { findingTypes } from '@muster/contract/records/finding'
import { firstSequenceOf, numbersPerSecond } from '../../kernel/store/sequence.ts'
import type { Param, Reader } from '../../kernel/store/sql.ts'

export const daySeconds = 86_400

/** A number of days, `from` inclusive and `to` exclusive, counted from the UNIX epoch. */
export interface DaySpan {
  readonly from: number
  readonly to: number
}

/** Days per statement, to let other reads run in between. */
const daysPerRead = 28

/**
 * Counts the flows of each day of a span from the timestamps of records. Reads only indexes. Days without any are left out.
 *
 * @returns flows by day
 */
export async function countFlows(
  db: Reader,
  org: number,
  { from, to }: DaySpan,
): Promise<Map<number, Flows>> {
  const days = new Map<number, Record<string, number>>()
  for (let at = from; at < to; at += daysPerRead)
    for (const { name, day, count } of await readFlows(db, org, {
      from: at,
      to: Math.min(to, at + daysPerRead),
    })) {
      const flows = days.get(day) ?? {}
      flows[name] = (flows[name] ?? 0) + count
      days.set(day, flows)
    }
  return days
}

interface FlowCount {
  readonly name: FlowName | 'resolveSeconds'
  readonly day: number
  readonly count: number
}

async function readFlows(db: Reader, org: number, span: DaySpan): Promise<FlowCount[]> {
  const counts: FlowCount[] = []
  for (const type of findingTypes) {
    const opened = await createdByDay(db, org, span, { table: 'findings', column: 'type', value: type })
    counts.push(...opened.map((row) => ({ ...row, name: `opened.${type}` as const })))
    for (const { day, count, seconds } of await closedByDay(db, org, span, type)) {
      counts.push({ name: `closed.${type}`, day, count }, { name: 'resolveSeconds', day, count: seconds })
    }
  }
  for (const type of detectionTypes) {
    const source = { table: 'detections', column: 'detection_type', value: type satisfies DetectionKind }
    const happened = await createdByDay(db, org, span, source)
    counts.push(...happened.map((row) => ({ ...row, name: `detections.${type}` as const })))
  }
  for (const [name, table] of [
    ['apps', 'apps'],
    ['appsOther', 'apps_other'],
  ] as const) {
    const seen = await createdByDay(db, org, span, { table })
    counts.push(...seen.map((row) => ({ ...row, name })))
  }
  return counts
}

interface CreatedSource {
  readonly table: string
  readonly column?: string
  readonly value?: string
}

/** Counts the records by the day of their creation: those with a value of an indexed column, or all that lists show. */
function createdByDay(
  db: Reader,
  org: number,
  { from, to }: DaySpan,
  { table, column, value }: CreatedSource,
): Promise<{ day: number; count: number }[]> {
  const index = db.dialect.indexedBy(`${table}_${column === undefined ? 'walk' : `by_${column}`}`)
  const having = column === undefined ? 'unlisted = 0' : `${column} = ?`
  const params: Param[] = value === undefined ? [org] : [org, value]
  return db.all(
    `SELECT seq / ${numbersPerSecond * daySeconds} AS day, count(*) AS count FROM ${table}${index}
     WHERE org = ? AND ${having} AND seq >= ? AND seq < ? GROUP BY 1`,
    [...params, firstSequenceOf(from * daySeconds), firstSequenceOf(to * daySeconds)],
  )
}

/** Counts the findings of a type that are closed, by the day of their last change, and sums up how long they were open. */
function closedByDay(
  db: Reader,
  org: number,
  { from, to }: DaySpan,
  type: string,
): Promise<{ day: number; count: number; seconds: number }[]> {
  const index = db.dialect.indexedBy('findings_resolved')
  // A sum is numeric in PostgreSQL. The clock may have been set back between opening and closing.
  const open = `CASE WHEN last_updated_timestamp > seq / ${numbersPerSecond} THEN last_updated_timestamp - seq / ${numbersPerSecond} ELSE 0 END`
  return db.all(
    `SELECT last_updated_timestamp / ${daySeconds} AS day, count(*) AS count, CAST(sum(${open}) AS bigint) AS seconds
     FROM findings${index} WHERE org = ? AND type = ? AND state = 'RESOLVED' AND last_updated_timestamp >= ? AND last_updated_timestamp < ? GROUP BY 1`,
    [org, type, from * daySeconds, to * daySeconds],
  )
}
