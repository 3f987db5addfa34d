import { hash, randomBytes } from 'node:crypto'
import { type Employee, employees } from '@muster/contract/employee'
import { ApiError, invalidRequest } from '@muster/contract/errors'
import { type Actions, action } from '../../kernel/actions/action.ts'
import { auditEmployeeChanges, type By } from '../../kernel/actions/audit-record-changes.ts'
import { auditedEmployee, type Change } from '../../kernel/actions/record-audit-events.rules.ts'
import { requireRecord } from '../../kernel/actions/stored-record.ts'
import { tellAudit } from '../../kernel/events/audit-trail.ts'
import { foldCase } from '../../kernel/lib/fold-case.ts'
import { holdersOfAddresses } from '../../kernel/store/bulk.ts'
import {
  getRecord,
  insertRecord,
  recordsWhere,
  type Stored,
  updateRecord,
} from '../../kernel/store/records.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { replaceEnrollmentLink } from '../agents/enrollment-links.service.ts'
import { isAddressTaken, putAddress, releaseAddress, takeAddress } from './employee-addresses.service.ts'
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
import { settleSharedAccounts } from './shared-accounts.ts'
import { renderCopies, showUnder } from './shown-under.ts'
import { settleTypedLogins } from './typed-logins.ts'

const addressInUse = (email: string): ApiError =>
  new ApiError('conflict', `The address ${email} is in use by another employee.`)

/** The request of an action, as far as saving an employee needs it. */
interface Input {
  readonly org: number
  readonly actor: By['actor']
  readonly nowSeconds: number
}

const byOf = ({ actor, nowSeconds }: Input): By => ({ actor, timestamp: nowSeconds })

/** Saves an employee with the copies of it, and records the audit events of the change. */
async function save(tx: Tx, input: Input, stored: Stored<Employee>, record: Employee): Promise<Employee> {
  if (record === stored.record) return record
  await write(tx, input, stored, record)
  await auditEmployeeChanges(tx, input.org, byOf(input), [{ before: stored.record, after: record }])
  return record
}

async function write(tx: Tx, { org }: Input, stored: Stored<Employee>, record: Employee): Promise<void> {
  await updateRecord(tx, employees, org, stored, { record })
  await renderCopies(tx, org, stored.record, record)
}

/** A new primary address; the primary of a merged employee shows it among its own. */
async function moveAddress(tx: Tx, input: Input, before: Employee, after: Employee): Promise<void> {
  const { org } = input
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
  await save(tx, input, primary, { ...primary.record, secondaryEmails })
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
    run: async (tx, input) => {
      const { org, body, nowSeconds } = input
      const record = newEmployee(options.makeId(), body, nowSeconds)
      putAddress(tx, org, record.email, record.id)
      await insertRecord(tx, employees, org, { id: record.id, record, createdAtSeconds: nowSeconds })
      await auditEmployeeChanges(tx, org, byOf(input), [{ before: null, after: record }])
      return record
    },
    refusal: (error, { body }) => (isAddressTaken(error) ? addressInUse(body.email) : undefined),
  },

  updateEmployee: action(async (tx, input) => {
    const stored = await requireRecord(tx, employees, input.org, input.id)
    const record = changedEmployee(stored.record, input.body)
    await moveAddress(tx, input, stored.record, record)
    return save(tx, input, stored, record)
  }),

  createEnrollmentLink: {
    answersSecret: true,
    run: async (tx, input) => {
      const { org, id, nowSeconds } = input
      const stored = await requireRecord(tx, employees, org, id)
      if (stored.record.mergedIntoId !== null) throw mergedAway(stored.record)
      if (!stored.record.licensed) await save(tx, input, stored, { ...stored.record, licensed: true })
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
      await tellAudit(tx, org, 'ENROLLMENT_LINK_CREATED', { ...byOf(input), new: facts })
      return { enrollmentLink: `${options.publicUrl}/enroll/${token}`, expirationTimestamp }
    },
  },

  addEmployeeToGroup: action(async (tx, input) => {
    const stored = await requireRecord(tx, employees, input.org, input.id)
    return save(tx, input, stored, inGroup(stored.record, input.body.group))
  }),

  deleteEmployeeFromGroup: action(async (tx, input) => {
    const stored = await requireRecord(tx, employees, input.org, input.id)
    return save(tx, input, stored, outOfGroup(stored.record, input.body.group))
  }),

  mergeEmployees: action(async (tx, input) => {
    const { org, id, body, nowSeconds } = input
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
    const changes: Change<Employee>[] = []
    for (const stored of chosen) {
      const secondary = asSecondary(stored.record, id)
      await updateRecord(tx, employees, org, stored, { record: secondary, unlisted: true })
      changes.push({ before: stored.record, after: secondary })
    }
    await write(tx, input, primary, record)
    const accountIds = new Set<string>()
    for (const { id: fromId } of candidates)
      for (const accountId of await showUnder(tx, org, fromId, record)) accountIds.add(accountId)
    await settleSharedAccounts(tx, org, accountIds, nowSeconds)
    await settleTypedLogins(tx, org, id, nowSeconds)
    changes.push({ before: primary.record, after: record })
    await auditEmployeeChanges(tx, org, byOf(input), changes)
    return record
  }),

  unmergeEmployee: action(async (tx, input) => {
    const { org, id, nowSeconds } = input
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
    await write(tx, input, primary, apart.primary)
    await settleSharedAccounts(tx, org, await showUnder(tx, org, primary.id, record, id), nowSeconds)
    for (const alone of [primary.id, id]) await settleTypedLogins(tx, org, alone, nowSeconds)
    await auditEmployeeChanges(tx, org, byOf(input), [
      { before: stored.record, after: record },
      { before: primary.record, after: apart.primary },
    ])
    return record
  }),
})
