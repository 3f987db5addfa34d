import {
  type Employee,
  type EmployeeCreation,
  type EmployeeUpdate,
  groupsMaximum,
  mergedEmployeesMaximum,
} from '@muster/contract/employee'
import { ApiError, invalidRequest, type Mistake, notFound } from '@muster/contract/errors'
import { canonicalText, textFormats } from '@muster/contract/text-format'
import { foldCase } from '../../kernel/lib/fold-case.ts'

/** The record of an employee who is added. */
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

/**
 * The employee with the members that are given.
 *
 * @throws ApiError conflict when a merged employee would get a license: only the primary has one
 */
export function changedEmployee(employee: Employee, update: EmployeeUpdate): Employee {
  if (update.licensed && employee.mergedIntoId !== null) throw mergedAway(employee)
  return { ...employee, ...update }
}

/** A merged employee cannot be licensed or enrolled: the primary stands for it. */
export const mergedAway = (employee: Employee): ApiError =>
  new ApiError(
    'conflict',
    `This employee is merged into ${employee.mergedIntoId}; use that one, or unmerge this one first.`,
  )

/**
 * The employee in a group more; unchanged if already in it.
 *
 * @throws ApiError invalid_request when in as many as an employee can be in
 */
export function inGroup(employee: Employee, group: string): Employee {
  if (employee.groups.includes(group)) return employee
  if (employee.groups.length >= groupsMaximum) {
    const message = `would be one too many: an employee is in at most ${groupsMaximum} groups`
    throw invalidRequest([{ in: 'body', name: 'group', message }])
  }
  return { ...employee, groups: [...employee.groups, group] }
}

/**
 * The employee without a group.
 *
 * @throws ApiError not_found when not in it
 */
export function outOfGroup(employee: Employee, group: string): Employee {
  // A group from before names were normalized may be stored in another form.
  const groups = employee.groups.filter((known) => canonicalText(textFormats.lookup, known) !== group)
  if (groups.length === employee.groups.length)
    throw notFound(`The employee is not in the group ${JSON.stringify(group)}`)
  return { ...employee, groups }
}

/** An employee who is to be merged, with those who were merged into it before. */
export interface Candidate {
  id: string
  employee: Employee | undefined
  merged: readonly Employee[]
}

/**
 * Checks a merge: an employee is not merged into itself, nobody twice, and at most five are one person
 * (REST contract, Employee).
 *
 * @throws ApiError invalid_request naming every id that cannot be merged
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
  candidates.forEach(({ id, employee, merged }, at) => {
    total += 1 + merged.length
    const message = whyNot(primary, id, employee, total)
    if (message) mistakes.push({ in: 'body', name: `employeeIds[${at}]`, message })
  })
  if (mistakes.length > 0) throw invalidRequest(mistakes)
}

function whyNot(
  primary: Employee,
  id: string,
  employee: Employee | undefined,
  total: number,
): string | undefined {
  if (id === primary.id) return `must not be the primary employee itself: ${id}`
  if (!employee) return `must be the id of an employee of the organization: ${id}`
  if (employee.mergedIntoId !== null)
    return `must not be merged already: ${id} is merged into ${employee.mergedIntoId}`
  if (total > mergedEmployeesMaximum)
    return `would be one too many: with ${id} more than ${mergedEmployeesMaximum} would be one person`
  return undefined
}

/** The primary after a merge: the addresses of the others are its own, and it has the license if any had one. */
export const asPrimary = (primary: Employee, secondaries: readonly Employee[]): Employee => ({
  ...primary,
  licensed: primary.licensed || secondaries.some(({ licensed }) => licensed),
  secondaryEmails: [
    ...new Set([
      ...primary.secondaryEmails,
      ...secondaries.flatMap(({ email, secondaryEmails }) => [email, ...secondaryEmails]),
    ]),
  ],
})

/** An employee after a merge into another. */
export const asSecondary = (employee: Employee, primaryId: string): Employee => ({
  ...employee,
  licensed: false,
  secondaryEmails: [],
  mergedIntoId: primaryId,
})

/**
 * A merged employee, and its primary, once each stands alone again. An imported employee may hold addresses of somebody
 * who is not there: it came into the merge with them, and goes with them.
 *
 * @param holders whose the addresses of the primary are, by folded address
 */
export function asUnmerged(
  secondary: Employee,
  primary: Employee,
  holders: ReadonlyMap<string, string>,
): { secondary: Employee; primary: Employee } {
  const known = new Set([secondary.email, ...secondary.secondaryEmails].map(foldCase))
  const isTheirs = (address: string) =>
    foldCase(address) === foldCase(secondary.email) || holders.get(foldCase(address)) === secondary.id
  const back = primary.secondaryEmails.filter((address) => isTheirs(address) && !known.has(foldCase(address)))
  return {
    secondary: {
      ...secondary,
      licensed: false,
      secondaryEmails: [...secondary.secondaryEmails, ...back],
      mergedIntoId: null,
    },
    primary: { ...primary, secondaryEmails: primary.secondaryEmails.filter((address) => !isTheirs(address)) },
  }
}
