import { Type } from 'typebox'
import { closed, listOf, nullable, oneOf } from '../api/fields.ts'
import { exampleOf, type JsonSchema } from '../api/json-schema.ts'
import { Account, mfaMethods } from '../records/account.ts'
import { AccountOther } from '../records/account-other.ts'
import { App } from '../records/app.ts'
import { AppOther } from '../records/app-other.ts'
import { Browser } from '../records/browser.ts'
import { BrowserExtension } from '../records/browser-extension.ts'
import { Detection, DetectionEmployee } from '../records/detection.ts'
import { Employee } from '../records/employee.ts'
import { Finding } from '../records/finding.ts'
import { changeEvent } from './event-envelope.ts'

/** Events of changed `/v1` records (events contract, section 3). */

const entity = { category: 'ENTITY' } as const

/** Detection rules iterate over `mfaMethods`, so events have a list also where `/v1` has null. */
const AccountInEvent = closed(
  {
    ...Account.properties,
    mfaMethods: listOf(
      oneOf(mfaMethods, 'A kind of second factor.', 'APP_TOTP'),
      'The observed second factors; empty if none or unknown.',
      ['APP_TOTP'],
      mfaMethods.length,
    ),
  },
  { description: 'An account of an employee in a catalog app.' },
)

/** Findings refer to employees by ID only; events include the employee, so receivers need not call `/v1`. */
const FindingInEvent = closed(
  {
    ...Finding.properties,
    employee: nullable(
      Type.Object(DetectionEmployee.properties, {
        additionalProperties: false,
        description: 'The employee it is about, as detections show them; null if none, or no longer there.',
        examples: [exampleOf(DetectionEmployee as JsonSchema)],
      }),
    ),
  },
  { description: 'A weakness in how an account or an employee signs in.' },
)

export const entityEvents = {
  ACCOUNT: changeEvent({
    ...entity,
    object: 'ACCOUNT',
    friendlyName: 'Account',
    noun: 'an account',
    record: AccountInEvent,
  }),
  ACCOUNT_OTHER: changeEvent({
    ...entity,
    object: 'ACCOUNT_OTHER',
    friendlyName: 'Account (other)',
    noun: 'an account on an app outside the catalog',
    record: AccountOther,
  }),
  APP: changeEvent({ ...entity, object: 'APP', friendlyName: 'App', noun: 'an app', record: App }),
  APP_OTHER: changeEvent({
    ...entity,
    object: 'APP_OTHER',
    friendlyName: 'App (other)',
    noun: 'an app outside the catalog',
    record: AppOther,
  }),
  BROWSER: changeEvent({
    ...entity,
    object: 'BROWSER',
    friendlyName: 'Browser',
    noun: 'a browser',
    record: Browser,
  }),
  BROWSER_EXTENSION: changeEvent({
    ...entity,
    object: 'BROWSER_EXTENSION',
    friendlyName: 'Browser extension',
    noun: 'a browser extension',
    record: BrowserExtension,
  }),
  EMPLOYEE: changeEvent({
    ...entity,
    object: 'EMPLOYEE',
    friendlyName: 'Employee',
    noun: 'an employee',
    record: Employee,
  }),
  FINDING: changeEvent({
    ...entity,
    object: 'FINDING',
    friendlyName: 'Finding',
    noun: 'a finding',
    record: FindingInEvent,
  }),
} as const

const detection = { category: 'DETECTION', record: Detection } as const

/** By the type of the detection; every `detectionTypes` has one. */
export const detectionEvents = {
  PHISHING: changeEvent({
    ...detection,
    object: 'PHISHING',
    friendlyName: 'Phishing',
    noun: 'a detection of phishing',
  }),
  STOLEN_CREDENTIALS: changeEvent({
    ...detection,
    object: 'STOLEN_CREDENTIALS',
    friendlyName: 'Stolen credentials',
    noun: 'a detection of stolen credentials',
  }),
  BLOCKED_URL: changeEvent({
    ...detection,
    object: 'BLOCKED_URL',
    friendlyName: 'Blocked URL',
    noun: 'a detection of a blocked URL',
  }),
  MALWARE_DELIVERY: changeEvent({
    ...detection,
    object: 'MALWARE_DELIVERY',
    friendlyName: 'Malware delivery',
    noun: 'a detection of malware delivery',
  }),
  MALICIOUS_BROWSER_EXTENSION: changeEvent({
    ...detection,
    object: 'MALICIOUS_BROWSER_EXTENSION',
    friendlyName: 'Malicious browser extension',
    noun: 'a detection of a malicious browser extension',
  }),
} as const
