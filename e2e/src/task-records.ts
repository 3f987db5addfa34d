import type { Account } from '@muster/contract/records/account'
import type { App } from '@muster/contract/records/app'
import type { Detection } from '@muster/contract/records/detection'
import type { Employee } from '@muster/contract/records/employee'
import type { Finding } from '@muster/contract/records/finding'
import { newId } from '../../server/src/kernel/lib/secrets/id.ts'
import { aFinding, anAccount, anAccountOther, anApp, anAppOther } from '../../test/support/fixtures.ts'
import { inventoryRecords } from './inventory-records.ts'

const nowSeconds = Math.floor(Date.now() / 1000)

const creationTimestamp = nowSeconds - 86_400

const madeApp = (type: string, friendlyName: string, sensitivityLevel: App['sensitivityLevel']): App =>
  anApp({
    type,
    friendlyName,
    sensitivityLevel,
    approvalStatus: null,
    ownerId: null,
    labels: [],
    creationTimestamp,
  })

const madeAccount = (app: App, employeeId: string, email: string): Account =>
  anAccount({
    employeeId,
    appId: app.id,
    appType: app.type,
    email,
    lastUsedTimestamp: nowSeconds,
    creationTimestamp,
  })

const madeFinding = (type: Finding['type'], account: Account, state: Finding['state'] = 'OPEN'): Finding =>
  aFinding({
    type,
    state,
    accountId: account.id,
    appId: account.appId,
    appType: account.appType,
    employeeId: account.employeeId,
    creationTimestamp,
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
  const helper = anAppOther({ domain: 'chat.helper.ai', hidden: false, creationTimestamp })
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
      anAccountOther({
        employeeId: edsger.id,
        otherAppId: helper.id,
        email: 'edsger@private.example',
        lastUsedTimestamp: nowSeconds,
        creationTimestamp,
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
