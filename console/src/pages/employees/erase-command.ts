import type { Employee } from '@muster/contract/records/employee'
import { shellWord } from '@muster/contract/text/shell-word'

/** Name by which the command line finds the first organization without `--org`. */
const firstOrganization = 'default'

/**
 * Returns the command that erases an employee.
 *
 * @param organization name of the organization: other ones can have an employee with the same address
 */
export function eraseCommand(
  { id, email }: Pick<Employee, 'id' | 'email'>,
  organization: string | null | undefined,
): string {
  // A word that starts with a hyphen is an option.
  const word = shellWord(email.startsWith('-') ? id : email)
  const isFirst = organization == null || organization === firstOrganization
  return `muster employee erase ${word}${isFirst ? '' : ` --org ${shellWord(organization)}`} --yes`
}
