import { type Employee, employees } from '@muster/contract/records/employee'
import { auditEmployeeChanges, type By } from '../../kernel/actions/audit-record-changes.ts'
import { type Stored, updateRecord } from '../../kernel/store/records.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { updateEmployeeCopies } from './reassign-records.ts'

/** Organization, actor and time of a change of an employee. */
export interface EmployeeChange {
  readonly org: number
  readonly actor: By['actor']
  readonly nowSeconds: number
}

export const byOf = ({ actor, nowSeconds }: EmployeeChange): By => ({ actor, timestamp: nowSeconds })

/** Saves an employee, updates the copies of its facts and records the audit events of the change. */
export async function saveEmployee(
  tx: Tx,
  input: EmployeeChange,
  stored: Stored<Employee>,
  record: Employee,
): Promise<Employee> {
  if (record === stored.record) return record
  await writeEmployee(tx, input, stored, record)
  await auditEmployeeChanges(tx, input.org, byOf(input), [{ before: stored.record, after: record }])
  return record
}

/** Saves an employee and updates the copies of its facts, without audit events. */
export async function writeEmployee(
  tx: Tx,
  { org }: EmployeeChange,
  stored: Stored<Employee>,
  record: Employee,
): Promise<void> {
  await updateRecord(tx, employees, org, stored, { record })
  await updateEmployeeCopies(tx, org, stored.record, record)
}
