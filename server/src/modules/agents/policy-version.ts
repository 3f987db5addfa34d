import { hash } from 'node:crypto'
import type { Employee } from '@muster/contract/employee'
import { foldCase } from '../../kernel/lib/fold-case.ts'
import { version as release } from '../../kernel/lib/version.ts'
import { policyRevision } from '../../kernel/organizations/policy-revision.ts'
import type { Reader } from '../../kernel/store/sql.ts'

/** What of an employee decides what their browsers are told. */
export type PolicyEmployee = Pick<Employee, 'id' | 'email' | 'secondaryEmails' | 'groups'>

/** All addresses of an employee, without case, each once. */
export const addressesOf = ({ email, secondaryEmails }: PolicyEmployee): string[] => [
  ...new Set([email, ...secondaryEmails].map(foldCase)),
]

/**
 * The version of an employee's policy at a revision of the organization's. The release is in it, because it brings the
 * catalog and the form of the document.
 */
export function policyVersionAt(revision: number, employee: PolicyEmployee): string {
  const facts = [release, employee.id, employee.groups.toSorted(), addressesOf(employee).sort()]
  return `${revision}-${hash('sha256', JSON.stringify(facts), 'hex').slice(0, 16)}`
}

/** The version of an employee's policy now; costs one read of one row. */
export const policyVersionOf = async (
  reader: Reader,
  org: number,
  employee: PolicyEmployee,
): Promise<string> => policyVersionAt(await policyRevision(reader, org), employee)
