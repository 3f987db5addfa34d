import { ApiError } from '@muster/contract/api/errors'
import {
  askEveryDays,
  askedFindingsMaximum,
  type EmployeeRequest,
} from '@muster/contract/console/work/console-ask'
import { defaultRequestTemplate, type RequestTemplate } from '@muster/contract/console/work/request-template'
import { type Account, accounts } from '@muster/contract/records/account'
import { type App, apps } from '@muster/contract/records/app'
import { type Finding, findings } from '@muster/contract/records/finding'
import { findingWords } from '@muster/contract/records/finding-words'
import { added } from '../../kernel/actions/audit-changes.rules.ts'
import { recordAudit } from '../../kernel/events/audit-trail.ts'
import { distinct } from '../../kernel/lib/distinct.ts'
import { readControls } from '../../kernel/organizations/organization-controls.ts'
import { organizationName } from '../../kernel/organizations/organizations.ts'
import { listSorted } from '../../kernel/query/sorted-list.ts'
import { findRecords } from '../../kernel/store/find-records.ts'
import { getRecordsByIds } from '../../kernel/store/records.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { passwordPage } from '../apps/password-page.rules.ts'
import { orgCatalog } from '../catalog/org-catalog.ts'
import { readPerson } from '../employees/find-person.ts'
import { renderMessage } from '../notices/notice-layout.ts'
import { lastRequestTimestamp, queueNotices } from '../notices/notices.service.ts'
import { type FindingsRequestFacts, findingsRequestMessage } from '../notices/request-message.ts'
import { authorOf, type WorkBy } from './change-work.ts'
import { readRequestTemplate } from './request-template.store.ts'
import { addWorkEntries } from './work.store.ts'
import { workPredicates } from './work-filters.service.ts'

interface ComposedRequest {
  readonly address: string
  readonly findingIds: readonly string[]
  readonly facts: FindingsRequestFacts
}

/** Composes the request to an employee about the findings that are to do. @throws ApiError not_found, conflict */
async function composeRequest(
  db: Db,
  org: number,
  employeeId: string,
  nowSeconds: number,
  template?: RequestTemplate,
): Promise<ComposedRequest> {
  const [{ email, firstName }] = await readPerson(db, org, employeeId)
  const filters = { employeeId, workStatus: 'TO_DO' }
  const also = workPredicates(db.dialect, { collection: findings, filters }, nowSeconds)
  const { records } = await listSorted(db, {
    collection: findings,
    org,
    filters: { employeeId },
    also,
    sort: { member: 'creationTimestamp', descending: false },
    cursor: undefined,
    limit: askedFindingsMaximum,
  })
  const found = records.map((text) => JSON.parse(text) as Finding)
  const idsOf = (member: 'appId' | 'accountId') => distinct(found.flatMap((finding) => finding[member] ?? []))
  const byId = <R extends { id: string }>(all: readonly R[]) => new Map(all.map((one) => [one.id, one]))
  const knownApps = byId<App>(await findRecords(db, apps, org, 'id', idsOf('appId')))
  const knownAccounts = byId<Account>(await findRecords(db, accounts, org, 'id', idsOf('accountId')))
  const catalog = await orgCatalog(db, org)
  const { contact } = await readControls(db, org)
  return {
    address: email,
    findingIds: found.map(({ id }) => id),
    facts: {
      name: firstName,
      contact,
      template: template ?? (await readRequestTemplate(db, org)) ?? defaultRequestTemplate,
      findings: found.map(({ type, appId, accountId }) => {
        const app = knownApps.get(appId ?? '')
        const changes = findingWords[type].changesPassword && app
        return {
          type,
          app: app?.friendlyName ?? null,
          account: knownAccounts.get(accountId ?? '')?.email ?? null,
          passwordUrl: changes ? passwordPage(app, catalog).url : null,
        }
      }),
    },
  }
}

const week = askEveryDays * 86_400

/**
 * Returns the e-mail that asks an employee to resolve findings.
 *
 * @param template a template that is not saved; by default that of the organization
 * @throws ApiError not_found, or conflict if the employee is merged into another
 */
export async function previewRequest(
  db: Db,
  org: number,
  employeeId: string,
  nowSeconds: number,
  template?: RequestTemplate,
): Promise<EmployeeRequest> {
  const { address, findingIds, facts } = await composeRequest(db, org, employeeId, nowSeconds, template)
  const { subject, text } = renderMessage(
    findingsRequestMessage(facts, { organization: await organizationName(db, org), address }),
  )
  const last = await lastRequestTimestamp(db, org, employeeId)
  const next = last === undefined ? undefined : last + week
  return {
    address,
    subject,
    text,
    findings: findingIds.length,
    nextTimestamp: next !== undefined && next > nowSeconds ? next : null,
  }
}

/**
 * Asks an employee by e-mail to resolve the findings that are to do. Nothing happens if there are none, or if the employee
 * was asked within a week.
 *
 * @throws ApiError not_found, or conflict if the employee is merged into another
 */
export async function askEmployee(
  db: Db,
  by: WorkBy,
  employeeId: string,
): Promise<'ASKED' | 'NONE' | 'EARLIER'> {
  const { org } = by.administrator
  const { timestamp } = by.audit
  const { address, findingIds, facts } = await composeRequest(db, org, employeeId, timestamp)
  if (findingIds.length === 0) return 'NONE'
  return db.inTransaction(async (tx) => {
    await tx.lock(`request ${org} ${employeeId}`)
    const last = await lastRequestTimestamp(tx, org, employeeId)
    if (last !== undefined && last + week > timestamp) return 'EARLIER'
    const locked = await getRecordsByIds(tx, findings, org, findingIds.toSorted())
    const subject = `${employeeId} ${timestamp}`
    await queueNotices(tx, [{ org, kind: 'FINDINGS_REQUEST', subject, address, facts }], timestamp * 1000)
    const entry = { kind: 'ASKED', from: null, to: null, untilTimestamp: null, text: null } as const
    await addWorkEntries(tx, org, new Map(locked.map(({ id }) => [id, [entry]])), authorOf(by))
    await recordAudit(tx, org, 'SETTING_UPDATED', {
      ...by.audit,
      new: { setting: 'employees', changes: [added('asked', employeeId), added('findings', findingIds)] },
      what: `The employee ${address} was asked by e-mail to resolve ${findingIds.length === 1 ? '1 finding' : `${findingIds.length} findings`}`,
    })
    return 'ASKED'
  })
}

/** Returns the error of a request that was not sent. */
export const notAsked = (reason: 'NONE' | 'EARLIER'): ApiError =>
  new ApiError(
    'conflict',
    reason === 'NONE'
      ? 'This employee has no finding that is to do.'
      : `This employee was asked less than ${askEveryDays} days ago. Wait until the week is over.`,
  )
