import { hash } from 'node:crypto'
import type { Employee } from '@muster/contract/records/employee'
import { foldCase } from '../../kernel/lib/fold-case.ts'
import { version as release } from '../../kernel/lib/version.ts'
import { policyRevision } from '../../kernel/organizations/policy-revision.ts'
import type { Reader } from '../../kernel/store/sql.ts'

/** Members of an employee that determine the policy. */
export type PolicyEmployee = Pick<Employee, 'id' | 'email' | 'secondaryEmails' | 'groups'>

/** Returns all addresses of an employee, case-folded, without duplicates. */
export const addressesOf = ({ email, secondaryEmails }: PolicyEmployee): string[] => [
  ...new Set([email, ...secondaryEmails].map(foldCase)),
]

/**
 * Returns the version of an employee's policy at a revision of the organization. Includes the release, which
 * determines the catalog and the format of the policy.
 */
export function policyVersionAt(revision: number, employee: PolicyEmployee): string {
  const facts = [release, employee.id, employee.groups.toSorted(), addressesOf(employee).sort()]
  return `${revision}-${hash('sha256', JSON.stringify(facts), 'hex').slice(0, 16)}`
}

/** Returns the current version of an employee's policy. Reads one row. */
export const policyVersionOf = async (
  reader: Reader,
  org: number,
  employee: PolicyEmployee,
): Promise<string> => policyVersionAt(await policyRevision(reader, org), employee)
