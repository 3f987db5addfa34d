import type { Employee } from '@muster/contract/employee'
import { foldCase } from '../../kernel/lib/fold-case.ts'

/** All addresses of an employee, folded, the primary one first. */
export const addressesOf = (employee: Employee | undefined): string[] =>
  employee === undefined ? [] : [...new Set([employee.email, ...employee.secondaryEmails].map(foldCase))]

/** Who holds which address, and what is known of the holders. */
export interface AddressBook {
  /** Ids of employees by folded address. */
  readonly holders: ReadonlyMap<string, string>
  /** An employee as it is to be, or else as it is. */
  person(id: string): Employee | undefined
}

/** What happens to folded addresses when an employee is stored. */
export type AddressDecision =
  | { readonly refused: string }
  | { readonly claims: readonly string[]; readonly releases: readonly string[] }

/**
 * Decides on the addresses of an employee that is to be stored. They must be free, or the employee's own already. The
 * secondary ones are those of the employees who are merged into it: each holds its own, and where one is not there, the
 * primary holds the address in its place, until it comes.
 *
 * @param before the employee as stored until now
 */
export function decideAddresses(
  { holders, person }: AddressBook,
  employee: Employee,
  before: Employee | undefined,
): AddressDecision {
  const { id, email, mergedIntoId } = employee
  const refused = (member: string, address: string, holder: string) => ({
    refused: `${member} ${address} belongs to the employee ${holder} already`,
  })
  const own = foldCase(email)
  const holder = holders.get(own)
  const claims = holder === id ? [] : [own]
  if (holder !== undefined && holder !== id) {
    const primary = holder === mergedIntoId ? person(holder) : undefined
    const inItsPlace = primary !== undefined && foldCase(primary.email) !== own
    if (!inItsPlace) return refused('email', email, holder)
  }
  const all = new Set([own])
  for (const secondary of employee.secondaryEmails) {
    const address = foldCase(secondary)
    if (all.has(address)) continue
    all.add(address)
    const other = holders.get(address)
    if (other === undefined) claims.push(address)
    else if (other !== id && person(other)?.mergedIntoId !== id)
      return refused('secondaryEmails', secondary, other)
  }
  const releases = addressesOf(before).filter((address) => !all.has(address) && holders.get(address) === id)
  return { claims, releases }
}
