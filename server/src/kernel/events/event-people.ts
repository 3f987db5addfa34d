import type { EventObject } from '@muster/contract/events/event-objects'
import { asDetectionEmployee, type DetectionEmployee } from '@muster/contract/records/detection'
import { type Employee, employees } from '@muster/contract/records/employee'
import { distinct } from '../lib/distinct.ts'
import type { Reader } from '../store/sql.ts'
import { idIndexOf, tableOf } from '../store/tables.ts'
import type { RecordChange } from './event-changes.ts'

/** Employees by ID, as events show them. */
export type People = ReadonlyMap<string, DetectionEmployee>

export const nobody: People = new Map()

/** Objects whose records hold only the ID of an employee, but whose events show the employee. */
const namesById: ReadonlySet<EventObject> = new Set<EventObject>(['FINDING', 'BROWSER_EXTENSION'])

/** Returns true if change events of an object need {@link readPeople}. */
export const needsPeople = (object: EventObject): boolean => namesById.has(object)

/** Reads the employees of changed records, in their current state in the transaction. */
export async function readPeople(tx: Reader, org: number, changes: readonly RecordChange[]): Promise<People> {
  const named = changes.flatMap(({ before, after }) => [before?.employeeId, after?.employeeId])
  const ids = distinct(named.filter((id) => typeof id === 'string'))
  if (ids.length === 0) return nobody
  const table = tableOf(employees)
  const source = tx.dialect.seekByValues(table.name, 'id', idIndexOf(table))
  const sql = `SELECT t.id AS id, t.record AS record FROM ${source}`
  const rows = await tx.all<{ id: string; record: string }>(sql, [JSON.stringify(ids), org])
  return new Map(rows.map(({ id, record }) => [id, asDetectionEmployee(JSON.parse(record) as Employee)]))
}
