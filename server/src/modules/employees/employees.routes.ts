import { hash, randomBytes } from 'node:crypto'
import { invalidRequest } from '@muster/contract/api/errors'
import { type Employee, employees } from '@muster/contract/records/employee'
import { type Actions, action, requireRecord } from '../../kernel/actions/action.ts'
import { auditEmployeeChanges } from '../../kernel/actions/audit-record-changes.ts'
import { auditedEmployee, type Change } from '../../kernel/actions/record-audit-events.rules.ts'
import { recordAudit } from '../../kernel/events/audit-trail.ts'
import type { Principal } from '../../kernel/http/principal.ts'
import { foldCase } from '../../kernel/lib/fold-case.ts'
import { holdersOfAddresses } from '../../kernel/store/batch-lookups.ts'
import {
  getRecord,
  insertRecord,
  recordsWhere,
  type Stored,
  updateRecord,
} from '../../kernel/store/records.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { replaceEnrollmentLink } from '../agents/enrollment-links.service.ts'
import { requireUnmanaged } from '../scim/managed-employee.service.ts'
import { addressInUse, changeAddress } from './change-address.ts'
import { isAddressTaken, putAddress } from './employee-addresses.service.ts'
import {
  addToGroup,
  afterUnmerge,
  type Candidate,
  changedEmployee,
  checkMerge,
  mergedEmployeeError,
  newEmployee,
  primaryAfterMerge,
  removeFromGroup,
  secondaryAfterMerge,
} from './employees.rules.ts'
import { reassignRecords } from './reassign-records.ts'
import { byOf, saveEmployee, writeEmployee } from './save-employee.ts'
import { evaluateSharedAccounts } from './shared-accounts.ts'
import { reevaluateTypedLogins } from './typed-logins.ts'

const mergedInto = (tx: Tx, org: number, id: string): Promise<Stored<Employee>[]> =>
  recordsWhere(tx, employees, org, 'mergedIntoId', id)

/**
 * Keeps people from changing what a directory manages: it would change it back. API keys may, as the contract of `/v1` says.
 *
 * @throws ApiError conflict
 */
async function requireEditable(
  tx: Tx,
  { org, principal }: { readonly org: number; readonly principal: Principal },
  before: Employee,
  after: Employee,
): Promise<void> {
  if (principal.role !== null) await requireUnmanaged(tx, org, before, after)
}

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
    await requireEditable(tx, input, stored.record, record)
    await changeAddress(tx, input, stored.record, record)
    return saveEmployee(tx, input, stored, record)
  }),

  createEnrollmentLink: {
    answersSecret: true,
    run: async (tx, input) => {
      const { org, id, nowSeconds } = input
      const stored = await requireRecord(tx, employees, org, id)
      if (stored.record.mergedIntoId !== null) throw mergedEmployeeError(stored.record)
      if (!stored.record.licensed) await saveEmployee(tx, input, stored, { ...stored.record, licensed: true })
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
      await recordAudit(tx, org, 'ENROLLMENT_LINK_CREATED', { ...byOf(input), new: facts })
      return { enrollmentLink: `${options.publicUrl}/enroll/${token}`, expirationTimestamp }
    },
  },

  addEmployeeToGroup: action(async (tx, input) => {
    const stored = await requireRecord(tx, employees, input.org, input.id)
    const record = addToGroup(stored.record, input.body.group)
    await requireEditable(tx, input, stored.record, record)
    return saveEmployee(tx, input, stored, record)
  }),

  deleteEmployeeFromGroup: action(async (tx, input) => {
    const stored = await requireRecord(tx, employees, input.org, input.id)
    const record = removeFromGroup(stored.record, input.body.group)
    await requireEditable(tx, input, stored.record, record)
    return saveEmployee(tx, input, stored, record)
  }),

  mergeEmployees: action(async (tx, input) => {
    const { org, id, body, nowSeconds } = input
    const primary = await requireRecord(tx, employees, org, id)
    const secondaries: Stored<Employee>[] = []
    const candidates: Candidate[] = []
    for (const employeeId of body.employeeIds) {
      const stored = await getRecord(tx, employees, org, employeeId)
      const merged = stored ? await mergedInto(tx, org, employeeId) : []
      candidates.push({
        id: employeeId,
        employee: stored?.record,
        merged: merged.map(({ record }) => record),
      })
      secondaries.push(...(stored ? [stored] : []), ...merged)
    }
    const already = await mergedInto(tx, org, id)
    checkMerge(
      primary.record,
      already.map(({ record }) => record),
      candidates,
    )
    const record = primaryAfterMerge(
      primary.record,
      secondaries.map((stored) => stored.record),
    )
    const changes: Change<Employee>[] = []
    for (const stored of secondaries) {
      const secondary = secondaryAfterMerge(stored.record, id)
      await updateRecord(tx, employees, org, stored, { record: secondary, hidden: true })
      changes.push({ before: stored.record, after: secondary })
    }
    await writeEmployee(tx, input, primary, record)
    const accountIds = new Set<string>()
    for (const { id: fromId } of candidates)
      for (const accountId of await reassignRecords(tx, org, fromId, record)) accountIds.add(accountId)
    await evaluateSharedAccounts(tx, org, accountIds, nowSeconds)
    await reevaluateTypedLogins(tx, org, id, nowSeconds)
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
        { in: 'path', name: 'id', message: `must be a merged employee; ${id} is not merged` },
      ])
    const holders = await holdersOfAddresses(tx, org, primary.record.secondaryEmails.map(foldCase))
    const unmerged = afterUnmerge(stored.record, primary.record, holders)
    const record = unmerged.secondary
    await updateRecord(tx, employees, org, stored, { record, hidden: false })
    await writeEmployee(tx, input, primary, unmerged.primary)
    await evaluateSharedAccounts(tx, org, await reassignRecords(tx, org, primary.id, record, id), nowSeconds)
    for (const employeeId of [primary.id, id]) await reevaluateTypedLogins(tx, org, employeeId, nowSeconds)
    await auditEmployeeChanges(tx, org, byOf(input), [
      { before: stored.record, after: record },
      { before: primary.record, after: unmerged.primary },
    ])
    return record
  }),
})
