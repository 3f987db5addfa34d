import { ApiError, invalidRequest, type Mistake, notFound } from '@muster/contract/api/errors'
import type { AccountUser } from '@muster/contract/records/account'
import {
  type Employee,
  type EmployeeCreation,
  type EmployeeUpdate,
  groupsMaximum,
  mergedEmployeesMaximum,
} from '@muster/contract/records/employee'
import { canonicalText, textFormats } from '@muster/contract/text/text-format'
import { foldCase } from '../../kernel/lib/fold-case.ts'

/** Returns the record of a new employee. */
export const newEmployee = (id: string, body: EmployeeCreation, nowSeconds: number): Employee => ({
  id,
  email: body.email,
  firstName: body.firstName ?? null,
  lastName: body.lastName ?? null,
  department: body.department ?? null,
  location: body.location ?? null,
  licensed: body.licensed ?? false,
  chatopsEnabled: false,
  groups: [...new Set(body.groups)],
  secondaryEmails: [],
  mergedIntoId: null,
  creationTimestamp: nowSeconds,
})

/** Returns the name of an employee, or the e-mail address without a name. */
export const personName = ({ firstName, lastName, email }: Employee): string =>
  [firstName, lastName].filter(Boolean).join(' ') || email

/**
 * Returns an employee with the given members.
 *
 * @throws ApiError conflict if a merged employee would get a license: only the primary has one
 */
export function changedEmployee(employee: Employee, update: EmployeeUpdate): Employee {
  if (update.licensed && employee.mergedIntoId !== null) throw mergedEmployeeError(employee)
  return { ...employee, ...update }
}

/** Returns the error for an operation on a merged employee that only the primary supports. */
export const mergedEmployeeError = (employee: Employee): ApiError =>
  new ApiError(
    'conflict',
    `This employee is merged into ${employee.mergedIntoId}. Use that employee, or unmerge this one first.`,
  )

/**
 * Returns an employee with another group; unchanged if already in the group.
 *
 * @throws ApiError invalid_request if the employee is in the maximum number of groups
 */
export function addToGroup(employee: Employee, group: string): Employee {
  if (employee.groups.includes(group)) return employee
  if (employee.groups.length >= groupsMaximum) {
    const message = `exceeds the limit: an employee can be in at most ${groupsMaximum} groups`
    throw invalidRequest([{ in: 'body', name: 'group', message }])
  }
  return { ...employee, groups: [...employee.groups, group] }
}

/**
 * Returns an employee without a group.
 *
 * @throws ApiError not_found if not in the group
 */
export function removeFromGroup(employee: Employee, group: string): Employee {
  // Groups stored before names were normalized may have another form.
  const groups = employee.groups.filter((known) => canonicalText(textFormats.lookup, known) !== group)
  if (groups.length === employee.groups.length)
    throw notFound(`The employee is not in the group ${JSON.stringify(group)}`)
  return { ...employee, groups }
}

/** Employee to be merged, with the employees already merged into it. */
export interface Candidate {
  id: string
  employee: Employee | undefined
  merged: readonly Employee[]
}

/**
 * Checks a merge: no employee into itself, none twice, and at most five as one (REST contract, Employee).
 *
 * @throws ApiError invalid_request with every ID that cannot be merged
 */
export function checkMerge(
  primary: Employee,
  alreadyMerged: readonly Employee[],
  candidates: readonly Candidate[],
): void {
  if (primary.mergedIntoId !== null) {
    throw invalidRequest([
      {
        in: 'path',
        name: 'id',
        message: `must not be a merged employee: ${primary.id} is merged into ${primary.mergedIntoId}`,
      },
    ])
  }
  let total = 1 + alreadyMerged.length
  const mistakes: Mistake[] = []
  candidates.forEach(({ id, employee, merged }, index) => {
    total += 1 + merged.length
    const message = mergeMistake(primary, id, employee, total)
    if (message) mistakes.push({ in: 'body', name: `employeeIds[${index}]`, message })
  })
  if (mistakes.length > 0) throw invalidRequest(mistakes)
}

function mergeMistake(
  primary: Employee,
  id: string,
  employee: Employee | undefined,
  total: number,
): string | undefined {
  if (id === primary.id) return `must not be the primary employee itself: ${id}`
  if (!employee) return `must be the ID of an employee of the organization: ${id}`
  if (employee.mergedIntoId !== null)
    return `must not be merged already: ${id} is merged into ${employee.mergedIntoId}`
  if (total > mergedEmployeesMaximum)
    return `exceeds the limit: with ${id}, more than ${mergedEmployeesMaximum} employees would be merged`
  return undefined
}

/**
 * Returns the primary after a merge. It takes over the addresses of the others, and is licensed if any of
 * them was.
 */
export const primaryAfterMerge = (primary: Employee, secondaries: readonly Employee[]): Employee => ({
  ...primary,
  licensed: primary.licensed || secondaries.some(({ licensed }) => licensed),
  secondaryEmails: [
    ...new Set([
      ...primary.secondaryEmails,
      ...secondaries.flatMap(({ email, secondaryEmails }) => [email, ...secondaryEmails]),
    ]),
  ],
})

/** Returns an employee after the merge into another. */
export const secondaryAfterMerge = (employee: Employee, primaryId: string): Employee => ({
  ...employee,
  licensed: false,
  secondaryEmails: [],
  mergedIntoId: primaryId,
})

/**
 * Returns a merged employee and its primary after an unmerge. An imported employee may have secondary
 * addresses of an employee that does not exist; it brought them into the merge and takes them along.
 *
 * @param holders IDs of the employees that have the addresses of the primary, by case-folded address
 */
export function afterUnmerge(
  secondary: Employee,
  primary: Employee,
  holders: ReadonlyMap<string, string>,
): { secondary: Employee; primary: Employee } {
  const known = new Set([secondary.email, ...secondary.secondaryEmails].map(foldCase))
  const isOfSecondary = (address: string) =>
    foldCase(address) === foldCase(secondary.email) || holders.get(foldCase(address)) === secondary.id
  const returned = primary.secondaryEmails.filter(
    (address) => isOfSecondary(address) && !known.has(foldCase(address)),
  )
  return {
    secondary: {
      ...secondary,
      licensed: false,
      secondaryEmails: [...secondary.secondaryEmails, ...returned],
      mergedIntoId: null,
    },
    primary: {
      ...primary,
      secondaryEmails: primary.secondaryEmails.filter((address) => !isOfSecondary(address)),
    },
  }
}

/** Stored use of an account by the observed employee. */
interface ObservedUse {
  readonly internal: Readonly<Record<string, unknown>>
}

/**
 * Returns the latest use of an account by merged employees.
 *
 * @param uses at least one
 */
export function lastUse(employeeId: string, uses: readonly ObservedUse[]): AccountUser {
  const last = uses.reduce((latest, use) =>
    Number(use.internal.observedLastUsed ?? -1) > Number(latest.internal.observedLastUsed ?? -1)
      ? use
      : latest,
  )
  const { observedLastUsed, observedTyped } = last.internal
  return {
    employeeId,
    lastUsedTimestamp:
      observedLastUsed === null || observedLastUsed === undefined ? null : Number(observedLastUsed),
    passwordManuallyTyped:
      observedTyped === null || observedTyped === undefined ? null : Number(observedTyped) === 1,
  }
}
