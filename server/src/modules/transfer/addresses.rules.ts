import type { Employee } from '@muster/contract/records/employee'
import { foldCase } from '../../kernel/lib/fold-case.ts'

/** Returns all addresses of an employee, case-folded, the primary one first. */
export const addressesOf = (employee: Employee | undefined): string[] =>
  employee === undefined ? [] : [...new Set([employee.email, ...employee.secondaryEmails].map(foldCase))]

/** Holders of addresses. */
export interface AddressBook {
  /** IDs of employees by folded address. */
  readonly holders: ReadonlyMap<string, string>
  /** Returns an employee as they will be stored, otherwise as they are stored. */
  person(id: string): Employee | undefined
}

/** Changes to the folded addresses when an employee is stored. */
export type AddressDecision =
  | { readonly refused: string }
  | { readonly claims: readonly string[]; readonly releases: readonly string[] }

/**
 * Decides on the addresses of an employee to be stored. They must be free or already held by the employee. Secondary
 * addresses belong to the employees merged into this one: each holds its own, and the primary holds those of merged
 * employees that do not exist yet.
 *
 * @param before the stored employee
 */
export function decideAddresses(
  { holders, person }: AddressBook,
  employee: Employee,
  before: Employee | undefined,
): AddressDecision {
  const { id, email, mergedIntoId } = employee
  const refused = (member: string, address: string, holder: string) => ({
    refused: `${member} ${address} already belongs to the employee ${holder}`,
  })
  const own = foldCase(email)
  const holder = holders.get(own)
  const claims = holder === id ? [] : [own]
  if (holder !== undefined && holder !== id) {
    const primary = holder === mergedIntoId ? person(holder) : undefined
    const isReserved = primary !== undefined && foldCase(primary.email) !== own
    if (!isReserved) return refused('email', email, holder)
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
