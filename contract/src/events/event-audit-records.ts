import { Type } from 'typebox'
import {
  closed,
  count,
  email,
  flag,
  id,
  listOf,
  nullable,
  oneOf,
  text,
  timestamp,
  url,
} from '../api/fields.ts'
import { ConsoleKey, type KeyPermission, keyPermissions } from '../console/console-keys.ts'
import { roles } from '../console/console-operation.ts'
import { removableLoginMethods } from '../records/account.ts'
import { labelLengthMaximum, labelsMaximum } from '../records/app.ts'
import { patternLengthMaximum } from '../records/blocked-url.ts'
import { detectionTypes } from '../records/detection.ts'
import { mergedEmployeesMaximum } from '../records/employee.ts'
import { eventCategories } from './event-envelope.ts'
import { accountId, employeeId } from './event-fields.ts'

/** Contents of audit events. They never contain secrets. */

/** Maximum number of patterns or changes in an event. `count` is the total number. */
export const auditListMaximum = 100

/** Maximum length of a value in an event, as JSON. Longer values are truncated; for longer lists only the difference is kept. */
export const auditValueLengthMaximum = 10_000

/** A value of any JSON type. */
type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [member: string]: JsonValue }

const value = (description: string, example: JsonValue) =>
  Type.Unsafe<JsonValue>({
    type: ['string', 'number', 'boolean', 'array', 'object', 'null'],
    description: `${description}, in its JSON type; null: unset.`,
    examples: [example],
    maxLength: auditValueLengthMaximum,
    maxItems: auditValueLengthMaximum,
  })

/** Changed members with their values, without secrets. */
const changes = listOf(
  closed(
    {
      name: text('The member that was changed.', 'approvalStatus', 128, 1),
      old: value('What it was', 'UNDER_REVIEW'),
      new: value('What it is', 'APPROVED'),
    },
    { description: 'A change.' },
  ),
  'The changes.',
  [{ name: 'approvalStatus', old: 'UNDER_REVIEW', new: 'APPROVED' }],
  auditListMaximum,
)

const key = ConsoleKey.properties
export const AuditedKey = closed(
  {
    id: key.id,
    name: key.name,
    permission: key.permission,
    permissions: oneOf(
      Object.keys(keyPermissions) as KeyPermission[],
      'The same as `permission`, under the name that receivers of such events know.',
      'READ_ONLY',
    ),
    holder: key.holder,
    start: key.start,
    creationTimestamp: key.creationTimestamp,
    expiryTimestamp: key.expiryTimestamp,
  },
  { description: 'The API key, without the key itself.' },
)

const webhook = {
  id: id('The endpoint.'),
  url: url(
    'The server that events are sent to; the rest of the address is masked.',
    'https://siem.example.com/***',
  ),
  enabled: flag('True if events are sent.'),
  categories: listOf(
    oneOf(eventCategories, 'A category.', 'DETECTION'),
    'The categories that are sent.',
    ['DETECTION'],
    eventCategories.length,
  ),
  objects: listOf(text('An object.', 'LOGIN', 64, 1), 'The single objects that are sent.', ['LOGIN'], 200),
  creationTimestamp: timestamp('Time when it was added; UNIX seconds.'),
}
export const AuditedWebhook = closed(webhook, { description: 'The endpoint, without its secret.' })
export const AuditedWebhookChange = closed(
  { ...webhook, changes },
  {
    description:
      'The endpoint as it is now, and what was changed: of its headers the names, of its secret nothing but that it was.',
  },
)

export const AuditedBlockedUrls = closed(
  {
    count: count('Total number of patterns.', 1),
    urls: listOf(
      text('A pattern.', '*.example.net/login/*', patternLengthMaximum, 1),
      'The first of the patterns.',
      ['*.example.net/login/*'],
      auditListMaximum,
    ),
  },
  { description: 'Patterns of addresses that browsers must not open.' },
)

export const AuditedStolenCredentials = closed(
  {
    count: count('Number of credentials.', 42),
    source: nullable(text('The feed that they came from; null if none was named.', 'acme-intelligence', 64)),
  },
  { description: 'Stolen credentials, not which.' },
)

const app = {
  appId: id('The app.'),
  appType: text('App type in the catalog.', 'ZAPIER', 64, 1),
}
export const AuditedApp = closed({ ...app, changes }, { description: 'A change of an app.' })
export const AuditedLabels = closed(
  {
    ...app,
    labels: listOf(
      text('A label.', 'GenAI', labelLengthMaximum, 1),
      'The labels that were added or removed.',
      ['GenAI'],
      labelsMaximum,
    ),
  },
  { description: 'Labels of an app.' },
)

const account = {
  accountId,
  accountEmail: email('The e-mail address or user name of the account.'),
  appType: app.appType,
}
export const AuditedAccount = closed(account, { description: 'An account.' })
export const AuditedLoginMethod = closed(
  {
    ...account,
    loginMethod: oneOf(removableLoginMethods, 'The login method that was cleared.', 'USERNAME_PASSWORD'),
  },
  { description: 'A login method of an account.' },
)

export const AuditedDetection = closed(
  {
    detectionId: id('The detection.'),
    detectionType: oneOf(detectionTypes, 'Type of the detection.', 'PHISHING'),
    changes,
  },
  { description: 'A change of a detection.' },
)

const employee = { employeeId, employeeEmail: email('The primary e-mail address of the employee.') }
export const AuditedEmployee = closed(employee, { description: 'An employee.' })
export const AuditedEmployeeChange = closed(
  { ...employee, changes },
  { description: 'A change of an employee.' },
)
export const AuditedEmployeeEmail = closed(
  {
    employeeId,
    oldEmail: email('The address until then.', 'ada@example.com'),
    newEmail: email('The new address.'),
  },
  { description: 'A change of the address of an employee.' },
)
export const AuditedGroup = closed(
  { ...employee, group: text('Name of the group.', 'Engineers', 128, 1) },
  { description: 'A group of an employee.' },
)
export const AuditedMerge = closed(
  {
    ...employee,
    mergedEmployees: listOf(
      closed(employee, { description: 'An employee who was merged.' }),
      'The employees who became secondary.',
      [{ employeeId: '01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e91', employeeEmail: 'ada@example.org' }],
      mergedEmployeesMaximum - 1,
    ),
  },
  { description: 'Employees who became one.' },
)
export const AuditedUnmerge = closed(
  { ...employee, primaryEmployeeId: id('The employee that they were merged into.') },
  { description: 'An employee who stands alone again.' },
)
export const AuditedEnrollmentLink = closed(
  { ...employee, expirationTimestamp: timestamp('Time when the link stops working; UNIX seconds.') },
  { description: 'An enrollment link, without the link itself.' },
)

export const signInMethods = ['PASSWORD', 'PASSKEY', 'OIDC', 'LINK'] as const
const signIn = {
  email: email('The e-mail address that was given.'),
  method: oneOf(signInMethods, 'Sign-in method.', 'PASSWORD'),
}
export const AuditedSignIn = closed(signIn, { description: 'A sign-in to the console.' })
export const AuditedFailedSignIn = closed(
  {
    ...signIn,
    email: nullable(signIn.email),
    sourceIpAddress: text('The IP address that it came from.', '203.0.113.7', 64),
  },
  { description: 'A sign-in to the console that failed.' },
)
export const AuditedAdmin = closed(
  {
    id: id('The administrator.'),
    email: email('The e-mail address of the administrator.'),
    role: oneOf(roles, 'Role of the administrator.', 'READ_ONLY'),
  },
  { description: 'An administrator.' },
)
export const AuditedSetting = closed(
  { setting: text('The setting, or the group of settings.', 'controls', 128, 1), changes },
  { description: 'A change of settings.' },
)
export const AuditedExport = closed(
  {
    what: text('Exported data.', 'accounts', 128, 1),
    format: oneOf(['CSV', 'JSON', 'BACKUP', 'HTML'] as const, 'In what form.', 'CSV'),
    count: Type.Integer({
      description: 'Number of records; 0 if not counted.',
      examples: [1200],
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
    }),
  },
  { description: 'An export of data.' },
)
