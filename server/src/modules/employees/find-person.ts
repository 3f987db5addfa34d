import { notFound } from '@muster/contract/api/errors'
import { lookup } from '@muster/contract/api/fields'
import { type Employee, employees } from '@muster/contract/records/employee'
import { requireRecord } from '../../kernel/actions/action.ts'
import { CommandFailure } from '../../kernel/cli/command.ts'
import { organizationNamed } from '../../kernel/cli/with-store.ts'
import { findRecords } from '../../kernel/store/find-records.ts'
import { readRecordText, recordsWhere, type Stored } from '../../kernel/store/records.ts'
import type { Db, Reader, Tx } from '../../kernel/store/sql.ts'
import { employeeOfAddress } from './employee-addresses.service.ts'
import { mergedEmployeeError } from './employees.rules.ts'

/** Argument of commands that work on one employee. */
export const personArgument = {
  name: 'ID|EMAIL',
  help: 'ID or email address of the employee',
  schema: lookup('An ID or an email address.', 'ada.byron@example.com', 254, 1),
} as const

/** An employee, found by a command. */
export interface FoundPerson {
  readonly org: number
  readonly id: string
  readonly email: string
}

/**
 * Finds a primary employee by ID or address.
 *
 * @throws CommandFailure if there is none, or if the employee is merged into another
 */
export async function findPersonIn(db: Db, orgName: string, word: string): Promise<FoundPerson> {
  const { no: org } = await organizationNamed(db, orgName)
  const id = word.includes('@') ? await employeeOfAddress(db, org, word) : word
  const text = id === undefined ? undefined : await readRecordText(db, employees, org, id)
  if (text === undefined) {
    throw new CommandFailure(
      `No employee ${JSON.stringify(word)} in the organization ${orgName}. /v1/employees lists all employees.`,
    )
  }
  const employee = JSON.parse(text) as Employee
  if (employee.mergedIntoId !== null) throw new CommandFailure(mergedEmployeeError(employee).message)
  return { org, id: employee.id, email: employee.email }
}

/** A person: the primary employee first, then the employees merged into it. */
export type Person = readonly [Employee, ...Employee[]]

/**
 * Reads a primary employee.
 *
 * @throws ApiError not_found, or conflict if the employee is merged into another
 */
export async function primaryEmployee(reader: Reader, org: number, id: string): Promise<Employee> {
  const text = await readRecordText(reader, employees, org, id)
  if (text === undefined) throw notFound()
  const employee = JSON.parse(text) as Employee
  if (employee.mergedIntoId !== null) throw mergedEmployeeError(employee)
  return employee
}

/**
 * Reads a primary employee and the employees merged into it.
 *
 * @throws ApiError as {@link primaryEmployee}
 */
export async function readPerson(reader: Reader, org: number, id: string): Promise<Person> {
  const primary = await primaryEmployee(reader, org, id)
  return [primary, ...(await findRecords(reader, employees, org, 'mergedIntoId', [id]))]
}

/**
 * Reads a primary employee and the employees merged into it, to change them.
 *
 * @throws ApiError as {@link primaryEmployee}
 */
export async function personOf(
  tx: Tx,
  org: number,
  id: string,
): Promise<[Stored<Employee>, ...Stored<Employee>[]]> {
  const stored = await requireRecord(tx, employees, org, id)
  if (stored.record.mergedIntoId !== null) throw mergedEmployeeError(stored.record)
  return [stored, ...(await recordsWhere(tx, employees, org, 'mergedIntoId', id))]
}
