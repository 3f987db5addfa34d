import { type OperationId, operations } from '@muster/contract/api/api'
import { methodOf, type Operation } from '@muster/contract/api/operation'
import { accounts } from '@muster/contract/records/account'
import { accountsOther } from '@muster/contract/records/account-other'
import { apps } from '@muster/contract/records/app'
import { appsOther } from '@muster/contract/records/app-other'
import { blockedUrls } from '@muster/contract/records/blocked-url'
import { browsers } from '@muster/contract/records/browser'
import { browserExtensions } from '@muster/contract/records/browser-extension'
import { detections } from '@muster/contract/records/detection'
import { employees } from '@muster/contract/records/employee'
import { findings } from '@muster/contract/records/finding'
import {
  aBlockedUrl,
  aBrowser,
  aBrowserExtension,
  aDetection,
  aFinding,
  anAccount,
  anAccountOther,
  anAccountUser,
  anApp,
  anAppOther,
  anEmployee,
  put,
  storeAccountUsers,
} from './fixtures.ts'
import type { Harness } from './harness.ts'

/** Request that succeeds. */
export interface ExampleRequest {
  method: string
  url: string
  /** Returns the URL with another ID in its path. */
  withId(id: string): string
  body?: unknown
}

/** All operations with their names. */
export const allOperations = Object.entries(operations) as [OperationId, Operation][]

interface Example {
  id?: string
  body?: unknown
}

/** Stores one record of each kind, and returns a successful request for every operation. */
export async function exampleRequests(
  h: Harness,
  org: number,
): Promise<Readonly<Record<OperationId, ExampleRequest>>> {
  const single = anEmployee()
  const merged = anEmployee()
  const primary = anEmployee({ groups: ['Engineers'], secondaryEmails: [merged.email] })
  const account = anAccount({ employeeId: primary.id })
  const accountOther = anAccountOther({ employeeId: primary.id })
  const app = anApp({ labels: ['GenAI'] })
  const appOther = anAppOther()
  const browser = aBrowser({ employeeId: primary.id })
  const extension = aBrowserExtension({ employeeId: primary.id, browserId: browser.id })
  const detection = aDetection({ employeeId: primary.id })
  const finding = aFinding({ employeeId: primary.id, accountId: account.id })
  await put(h, org, employees, [primary, single, { ...merged, mergedIntoId: primary.id }])
  await put(h, org, accounts, [account])
  await storeAccountUsers(h, org, account.id, [anAccountUser({ employeeId: primary.id })])
  await put(h, org, accountsOther, [accountOther])
  await put(h, org, apps, [app])
  await put(h, org, appsOther, [appOther])
  await put(h, org, browsers, [browser])
  await put(h, org, browserExtensions, [extension])
  await put(h, org, detections, [detection])
  await put(h, org, findings, [finding])
  await put(h, org, blockedUrls, [aBlockedUrl()])

  const examples: Readonly<Record<OperationId, Example>> = {
    listAccounts: {},
    getAccount: { id: account.id },
    forgetAccount: { id: account.id },
    deleteLoginMethod: { id: account.id, body: { loginMethod: 'USERNAME_PASSWORD' } },
    listAccountUsers: { id: account.id },
    listAccountsOther: {},
    getAccountOther: { id: accountOther.id },
    listApps: {},
    getApp: { id: app.id },
    updateApp: { id: app.id, body: { approvalStatus: 'NOT_APPROVED' } },
    addAppLabel: { id: app.id, body: { label: 'Finance' } },
    deleteAppLabel: { id: app.id, body: { label: 'GenAI' } },
    listAppsOther: {},
    getAppOther: { id: appOther.id },
    listBrowsers: {},
    getBrowser: { id: browser.id },
    listBrowserExtensions: {},
    listDetections: {},
    getDetection: { id: detection.id },
    updateDetection: { id: detection.id, body: { archived: true } },
    listEmployees: {},
    addEmployee: { body: { email: 'someone.new@example.com' } },
    getEmployee: { id: primary.id },
    updateEmployee: { id: primary.id, body: { department: 'Research' } },
    createEnrollmentLink: { id: primary.id },
    addEmployeeToGroup: { id: primary.id, body: { group: 'Leads' } },
    deleteEmployeeFromGroup: { id: primary.id, body: { group: 'Engineers' } },
    mergeEmployees: { id: primary.id, body: { employeeIds: [single.id] } },
    unmergeEmployee: { id: merged.id },
    listFindings: {},
    getFinding: { id: finding.id },
    listBlockedUrls: {},
    addBlockedUrl: { body: { url: 'https://phishing.example/*' } },
    deleteBlockedUrls: {},
    addStolenCredentials: {
      body: { credentials: [{ email: 'ada@example.com', password: 'correct horse' }] },
    },
    deleteStolenCredentials: {},
  }
  return Object.fromEntries(
    allOperations.map(([name, operation]) => {
      const { id = '', body } = examples[name]
      const withId = (other: string) => operation.path.replace(':id', other)
      return [name, { method: methodOf(operation), url: withId(id), withId, body }]
    }),
  ) as Record<OperationId, ExampleRequest>
}
