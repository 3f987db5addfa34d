import { exampleOf, type JsonSchema } from '@muster/contract/api/json-schema'
import { Account } from '@muster/contract/records/account'
import { AccountOther } from '@muster/contract/records/account-other'
import { App } from '@muster/contract/records/app'
import { AppOther } from '@muster/contract/records/app-other'
import type { Detection } from '@muster/contract/records/detection'
import type { Employee } from '@muster/contract/records/employee'
import { Finding } from '@muster/contract/records/finding'
import { newId } from '../../server/src/kernel/lib/secrets/id.ts'
import { inventoryRecords } from './inventory-records.ts'

const nowSeconds = Math.floor(Date.now() / 1000)

const madeOf = <T>(schema: unknown, members: Partial<T>): T => ({
  ...(exampleOf(schema as JsonSchema) as T),
  id: newId(nowSeconds * 1000),
  creationTimestamp: nowSeconds - 86_400,
  ...members,
})

const madeApp = (type: string, friendlyName: string, sensitivityLevel: App['sensitivityLevel']): App =>
  madeOf<App>(App, { type, friendlyName, sensitivityLevel, approvalStatus: null, ownerId: null, labels: [] })

const madeAccount = (app: App, employeeId: string, email: string): Account =>
  madeOf<Account>(Account, {
    employeeId,
    appId: app.id,
    appType: app.type,
    email,
    lastUsedTimestamp: nowSeconds,
  })

const madeFinding = (type: Finding['type'], account: Account, state: Finding['state'] = 'OPEN'): Finding =>
  madeOf<Finding>(Finding, {
    type,
    state,
    accountId: account.id,
    appId: account.appId,
    appType: account.appType,
    employeeId: account.employeeId,
  })

/**
 * Returns the inventory for the everyday tasks. Ada has a weak password in a sensitive app, ignored the warning of a phishing
 * page, and uses an AI tool. Grace has a second record at an acquired company. Edsger leaves.
 */
export function taskRecords() {
  const { employees, browsers, browserExtensions, detections } = inventoryRecords()
  const [ada, grace, edsger] = employees
  if (!ada || !grace || !edsger) throw new Error('there are no employees')
  const twin: Employee = {
    ...grace,
    id: newId(nowSeconds * 1000),
    email: 'grace.byron@fernhill.example',
    licensed: false,
  }
  const payroll = madeApp('ZAPIER', 'Zapier', 'HIGH')
  const chat = madeApp('SLACK', 'Slack', 'LOW')
  const assistant = madeApp('CHATGPT', 'ChatGPT', null)
  const weak = madeAccount(payroll, ada.id, ada.email)
  const weakElsewhere = madeAccount(chat, grace.id, grace.email)
  const helper = madeOf<AppOther>(AppOther, { domain: 'chat.helper.ai', hidden: false })
  const phished = detections.map(
    (detection): Detection => ({
      ...detection,
      url: 'https://login.payroll-update.example/session',
      detectionType: 'PHISHING',
      response: 'EMPLOYEE_IGNORED_WARNING',
      appId: payroll.id,
      appType: payroll.type,
    }),
  )
  return {
    employees: [...employees, twin],
    apps: [payroll, chat, assistant],
    appsOther: [helper],
    accounts: [
      weak,
      weakElsewhere,
      madeAccount(assistant, ada.id, ada.email),
      madeAccount(assistant, grace.id, 'grace@private.example'),
      madeAccount(chat, edsger.id, edsger.email),
    ],
    accountsOther: [
      madeOf<AccountOther>(AccountOther, {
        employeeId: edsger.id,
        otherAppId: helper.id,
        email: 'edsger@private.example',
        lastUsedTimestamp: nowSeconds,
      }),
    ],
    findings: [
      madeFinding('WEAK_PASSWORD', weak),
      madeFinding('WEAK_PASSWORD', weakElsewhere),
      madeFinding('LEAKED_PASSWORD', weak),
      madeFinding('WEAK_PASSWORD', weak, 'RESOLVED'),
    ],
    browsers,
    browserExtensions,
    detections: phished,
  }
}
