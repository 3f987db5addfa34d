import type { EnrollmentAnswer, EnrollmentRequest } from '@muster/contract/agent/agent-enrollment'
import type { DormantAnswer } from '@muster/contract/agent/agent-event'
import { ApiError, notFound } from '@muster/contract/api/errors'
import { type Browser, browsers } from '@muster/contract/records/browser'
import { type Employee, employees } from '@muster/contract/records/employee'
import { auditEmployeeChanges } from '../../kernel/actions/audit-record-changes.ts'
import { employeeActor } from '../../kernel/http/actor.ts'
import { type Clock, unixSeconds } from '../../kernel/lib/clock.ts'
import { hashToken, isEnrollmentToken, newBrowserCredential } from '../../kernel/lib/secrets/agent-token.ts'
import { readControls } from '../../kernel/organizations/organization-controls.ts'
import { getRecord, insertRecord } from '../../kernel/store/records.ts'
import type { Db, Tx } from '../../kernel/store/sql.ts'
import { insertBrowserCredential } from '../browsers/browser-credentials.service.ts'
import { claimAddress, employeeOfAddress } from '../employees/employee-addresses.service.ts'
import type { ClientFacts } from './agent-principal.ts'
import {
  enrolledBrowser,
  isDormant,
  linkError,
  linkStatus,
  managedAddress,
  managedEmployee,
} from './enroll.rules.ts'
import { findEnrollmentLink, useEnrollmentLink } from './enrollment-links.service.ts'
import { findEnrollmentToken, recordTokenUse } from './enrollment-tokens.service.ts'
import { policyVersionOf } from './policy-version.ts'

export interface EnrollOptions {
  readonly db: Db
  readonly clock: Clock
  makeId(): string
}

const dormant: DormantAnswer = { dormant: true }

/**
 * Enrolls browsers, each in one transaction: by a link, which works once even under concurrent requests, or
 * by a token of the organization (domain contract, section 1). The credential is only returned, never stored.
 *
 * @throws ApiError (the returned function) not_found or conflict for a token that does not work,
 *   invalid_request for a managed browser without an email address
 */
export function enrollService(options: EnrollOptions) {
  const { db, clock } = options
  return (request: EnrollmentRequest, client: ClientFacts): Promise<EnrollmentAnswer | DormantAnswer> => {
    const context = { makeId: options.makeId, nowSeconds: unixSeconds(clock), request, client }
    const enroll = isEnrollmentToken(request.token) ? enrollManaged : enrollByLink
    return db.inTransaction((tx) => enroll(tx, context))
  }
}

interface EnrollContext {
  readonly request: EnrollmentRequest
  readonly client: ClientFacts
  readonly nowSeconds: number
  makeId(): string
}

async function enrollByLink(tx: Tx, context: EnrollContext): Promise<EnrollmentAnswer | DormantAnswer> {
  const { request, nowSeconds } = context
  const hash = hashToken(request.token)
  const link = await findEnrollmentLink(tx, hash)
  const error = linkError(linkStatus(link, nowSeconds))
  if (error || !link) throw error ?? notFound()
  const stored = await getRecord(tx, employees, link.org, link.employeeId)
  if (!stored || isDormant(stored.record)) return dormant
  if (!(await useEnrollmentLink(tx, link.org, link.id, nowSeconds))) {
    const current = await findEnrollmentLink(tx, hash)
    throw linkError(linkStatus(current, nowSeconds)) ?? new ApiError('conflict', 'Try again.')
  }
  return addBrowser(tx, context, link.org, stored.record, 'INDIVIDUAL')
}

async function enrollManaged(tx: Tx, context: EnrollContext): Promise<EnrollmentAnswer | DormantAnswer> {
  const token = await findEnrollmentToken(tx, hashToken(context.request.token))
  if (!token) throw notFound('This enrollment token is invalid; check the managed policy of the browser')
  if (token.revokedTimestamp !== null)
    throw new ApiError(
      'conflict',
      'This enrollment token was revoked. Put a new one into the managed policy.',
    )
  const employee = await findOrAddEmployee(tx, context, token.org, managedAddress(context.request))
  if (!employee || isDormant(employee)) return dormant
  const answer = await addBrowser(tx, context, token.org, employee, 'MANAGED')
  await recordTokenUse(tx, token.org, token.id, context.nowSeconds)
  return answer
}

/** Returns the primary employee with an address. Adds a missing employee if the organization allows it. */
async function findOrAddEmployee(
  tx: Tx,
  { makeId, nowSeconds, client }: EnrollContext,
  org: number,
  address: string,
): Promise<Employee | undefined> {
  const known = await findPrimaryByAddress(tx, org, address)
  if (known) return known
  if (!(await readControls(tx, org)).autoCreateManagedEmployees) return undefined
  const record = managedEmployee(makeId(), address, nowSeconds)
  // Another browser of the same employee may enroll at the same time.
  if (!(await claimAddress(tx, org, address, record.id))) return findPrimaryByAddress(tx, org, address)
  await insertRecord(tx, employees, org, { id: record.id, record, createdAtSeconds: nowSeconds })
  const by = { actor: employeeActor(record, client), timestamp: nowSeconds }
  await auditEmployeeChanges(tx, org, by, [{ before: null, after: record }])
  return record
}

async function findPrimaryByAddress(tx: Tx, org: number, address: string): Promise<Employee | undefined> {
  const id = await employeeOfAddress(tx, org, address)
  return id === undefined ? undefined : resolvePrimary(tx, org, id)
}

/** Returns the primary of an employee. Imported primaries may themselves be merged. */
async function resolvePrimary(tx: Tx, org: number, id: string): Promise<Employee | undefined> {
  const record = (await getRecord(tx, employees, org, id))?.record
  if (!record || record.mergedIntoId === null) return record
  return (await resolvePrimary(tx, org, record.mergedIntoId)) ?? record
}

async function addBrowser(
  tx: Tx,
  { makeId, nowSeconds, request }: EnrollContext,
  org: number,
  employee: Employee,
  tokenType: Browser['tokenType'],
): Promise<EnrollmentAnswer> {
  const credential = newBrowserCredential()
  const record = enrolledBrowser(makeId(), employee, tokenType, request.browser, nowSeconds)
  await insertRecord(tx, browsers, org, { id: record.id, record, createdAtSeconds: nowSeconds })
  await insertBrowserCredential(tx, {
    org,
    browserId: record.id,
    employeeId: employee.id,
    hash: hashToken(credential),
    creationTimestamp: nowSeconds,
  })
  return { browserId: record.id, credential, policyVersion: await policyVersionOf(tx, org, employee) }
}
