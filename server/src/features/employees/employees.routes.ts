import { hash, randomBytes } from 'node:crypto'
import { type Employee, employees } from '@muster/contract/employee'
import { ApiError, invalidRequest } from '@muster/contract/errors'
import type { Actor } from '@muster/contract/event-actor'
import { foldCase } from '../../lib/fold-case.ts'
import { tellAudit } from '../../storage/audit-trail.ts'
import { holdersOfAddresses } from '../../storage/bulk.ts'
import { isAddressTaken, putAddress, releaseAddress, takeAddress } from '../../storage/employee-addresses.ts'
import { replaceEnrollmentLink } from '../../storage/enrollment-links.ts'
import { getRecord, insertRecord, recordsWhere, type Stored, updateRecord } from '../../storage/records.ts'
import type { Tx } from '../../storage/sql.ts'
import { type Actions, action } from '../action.ts'
import { requireRecord } from '../stored-record.ts'
import {
  asPrimary,
  asSecondary,
  asUnmerged,
  type Candidate,
  changedEmployee,
  checkMerge,
  inGroup,
  mergedAway,
  newEmployee,
  outOfGroup,
} from './employees.rules.ts'
import { auditedEmployee, tellUpdate } from './employees-audit.ts'
import { settleSharedAccounts } from './shared-accounts.ts'
import { renderCopies, showUnder } from './shown-under.ts'
import { settleTypedLogins } from './typed-logins.ts'

const addressInUse = (email: string): ApiError =>
  new ApiError('conflict', `The address ${email} is in use by another employee.`)

async function save(
  tx: Tx,
  org: number,
  stored: Stored<Employee>,
  record: Employee,
  unlisted = stored.unlisted,
): Promise<Employee> {
  if (record === stored.record) return record
  await updateRecord(tx, employees, org, stored, { record, unlisted })
  await renderCopies(tx, org, stored.record, record)
  return record
}

/** A new primary address; the primary of a merged employee shows it among its own. */
async function moveAddress(tx: Tx, org: number, before: Employee, after: Employee): Promise<void> {
  if (foldCase(before.email) !== foldCase(after.email)) {
    if (!(await takeAddress(tx, org, after.email, after.id))) throw addressInUse(after.email)
    await releaseAddress(tx, org, before.email, before.id)
  }
  const primary =
    after.mergedIntoId === null ? undefined : await getRecord(tx, employees, org, after.mergedIntoId)
  if (!primary || before.email === after.email) return
  const secondaryEmails = primary.record.secondaryEmails.map((email) =>
    foldCase(email) === foldCase(before.email) ? after.email : email,
  )
  await save(tx, org, primary, { ...primary.record, secondaryEmails })
}

async function changeGroups(
  tx: Tx,
  input: { org: number; id: string; body: { group: string }; actor: Actor; nowSeconds: number },
  object: 'EMPLOYEE_ADDED_TO_GROUP' | 'EMPLOYEE_REMOVED_FROM_GROUP',
  decide: (employee: Employee) => Employee,
): Promise<Employee> {
  const { org, actor, nowSeconds } = input
  const stored = await requireRecord(tx, employees, org, input.id)
  const record = decide(stored.record)
  if (record === stored.record) return record
  await save(tx, org, stored, record)
  const facts = { ...auditedEmployee(record), group: input.body.group.trim() }
  await tellAudit(tx, org, object, { actor, timestamp: nowSeconds, new: facts })
  return record
}

const mergedInto = (tx: Tx, org: number, id: string): Promise<Stored<Employee>[]> =>
  recordsWhere(tx, employees, org, 'mergedIntoId', id)

/** What the actions need to know of the deployment. */
export interface EmployeeOptions {
  makeId(): string
  publicUrl: string
  enrollmentLinkDays: number
}

type EmployeeActions =
  | 'addEmployee'
  | 'updateEmployee'
  | 'createEnrollmentLink'
  | 'addEmployeeToGroup'
  | 'deleteEmployeeFromGroup'
  | 'mergeEmployees'
  | 'unmergeEmployee'

export const employeeActions = (options: EmployeeOptions): Pick<Actions, EmployeeActions> => ({
  addEmployee: {
    run: async (tx, { org, body, actor, nowSeconds }) => {
      const record = newEmployee(options.makeId(), body, nowSeconds)
      putAddress(tx, org, record.email, record.id)
      await insertRecord(tx, employees, org, { id: record.id, record, createdAtSeconds: nowSeconds })
      const facts = auditedEmployee(record)
      await tellAudit(tx, org, 'EMPLOYEE_ADDED', { actor, timestamp: nowSeconds, new: facts })
      return record
    },
    refusal: (error, { body }) => (isAddressTaken(error) ? addressInUse(body.email) : undefined),
  },

  updateEmployee: action(async (tx, { org, id, body, actor, nowSeconds }) => {
    const stored = await requireRecord(tx, employees, org, id)
    const record = changedEmployee(stored.record, body)
    await moveAddress(tx, org, stored.record, record)
    await save(tx, org, stored, record)
    await tellUpdate(tx, org, { actor, timestamp: nowSeconds }, stored.record, record)
    return record
  }),

  createEnrollmentLink: {
    answersSecret: true,
    run: async (tx, { org, id, actor, nowSeconds }) => {
      const stored = await requireRecord(tx, employees, org, id)
      if (stored.record.mergedIntoId !== null) throw mergedAway(stored.record)
      if (!stored.record.licensed) await save(tx, org, stored, { ...stored.record, licensed: true })
      const token = randomBytes(32).toString('base64url')
      const expirationTimestamp = nowSeconds + options.enrollmentLinkDays * 24 * 60 * 60
      await replaceEnrollmentLink(tx, {
        org,
        id: options.makeId(),
        employeeId: id,
        tokenHash: hash('sha256', token, 'hex'),
        creationTimestamp: nowSeconds,
        expirationTimestamp,
      })
      const facts = { ...auditedEmployee(stored.record), expirationTimestamp }
      await tellAudit(tx, org, 'ENROLLMENT_LINK_CREATED', { actor, timestamp: nowSeconds, new: facts })
      return { enrollmentLink: `${options.publicUrl}/enroll/${token}`, expirationTimestamp }
    },
  },

  addEmployeeToGroup: action((tx, input) =>
    changeGroups(tx, input, 'EMPLOYEE_ADDED_TO_GROUP', (employee) => inGroup(employee, input.body.group)),
  ),

  deleteEmployeeFromGroup: action((tx, input) =>
    changeGroups(tx, input, 'EMPLOYEE_REMOVED_FROM_GROUP', (employee) =>
      outOfGroup(employee, input.body.group),
    ),
  ),

  mergeEmployees: action(async (tx, { org, id, body, actor, nowSeconds }) => {
    const primary = await requireRecord(tx, employees, org, id)
    const chosen: Stored<Employee>[] = []
    const candidates: Candidate[] = []
    for (const employeeId of body.employeeIds) {
      const stored = await getRecord(tx, employees, org, employeeId)
      const merged = stored ? await mergedInto(tx, org, employeeId) : []
      candidates.push({
        id: employeeId,
        employee: stored?.record,
        merged: merged.map(({ record }) => record),
      })
      chosen.push(...(stored ? [stored] : []), ...merged)
    }
    const already = await mergedInto(tx, org, id)
    checkMerge(
      primary.record,
      already.map(({ record }) => record),
      candidates,
    )
    const record = asPrimary(
      primary.record,
      chosen.map((stored) => stored.record),
    )
    for (const stored of chosen) {
      await updateRecord(tx, employees, org, stored, {
        record: asSecondary(stored.record, id),
        unlisted: true,
      })
    }
    await save(tx, org, primary, record)
    const accountIds = new Set<string>()
    for (const { id: fromId } of candidates)
      for (const accountId of await showUnder(tx, org, fromId, record)) accountIds.add(accountId)
    await settleSharedAccounts(tx, org, accountIds, nowSeconds)
    await settleTypedLogins(tx, org, id, nowSeconds)
    const mergedEmployees = chosen.map((stored) => auditedEmployee(stored.record))
    const facts = { ...auditedEmployee(record), mergedEmployees }
    await tellAudit(tx, org, 'EMPLOYEES_MERGED', { actor, timestamp: nowSeconds, new: facts })
    return record
  }),

  unmergeEmployee: action(async (tx, { org, id, actor, nowSeconds }) => {
    const stored = await requireRecord(tx, employees, org, id)
    const primary =
      stored.record.mergedIntoId === null
        ? undefined
        : await getRecord(tx, employees, org, stored.record.mergedIntoId)
    if (!primary)
      throw invalidRequest([
        { in: 'path', name: 'id', message: `must be a merged employee; ${id} stands alone` },
      ])
    const holders = await holdersOfAddresses(tx, org, primary.record.secondaryEmails.map(foldCase))
    const apart = asUnmerged(stored.record, primary.record, holders)
    const record = apart.secondary
    await updateRecord(tx, employees, org, stored, { record, unlisted: false })
    await save(tx, org, primary, apart.primary)
    await settleSharedAccounts(tx, org, await showUnder(tx, org, primary.id, record, id), nowSeconds)
    for (const alone of [primary.id, id]) await settleTypedLogins(tx, org, alone, nowSeconds)
    const facts = { ...auditedEmployee(record), primaryEmployeeId: primary.id }
    await tellAudit(tx, org, 'EMPLOYEE_UNMERGED', { actor, timestamp: nowSeconds, new: facts })
    return record
  }),
})
