import type { ActionId } from '@muster/contract/api/api'
import type { ConsoleOperationId } from '@muster/contract/console/console-api'
import type { AuditObject } from '@muster/contract/console/console-audit'

/**
 * Audit events by operation: one of these is recorded whenever the operation changes something, or fails to authenticate.
 * Operations that change an employee also record the events of that change (`record-audit-events.rules.ts`). Operations without
 * an event are listed separately with the reason.
 */

type Objects = readonly [AuditObject, ...AuditObject[]]

const signIn = ['ADMIN_SIGNED_IN', 'ADMIN_SIGN_IN_FAILED'] as const
const failure = ['ADMIN_SIGN_IN_FAILED'] as const
const setting = ['SETTING_UPDATED'] as const

/** Every non-GET operation of `/v1`, also called by the console under `/console/api/records`. */
export const auditedV1 = {
  forgetAccount: ['ACCOUNT_FORGOTTEN'],
  deleteLoginMethod: ['ACCOUNT_LOGIN_METHOD_REMOVED'],
  updateApp: ['APP_UPDATED'],
  addAppLabel: ['APP_LABELS_ADDED'],
  deleteAppLabel: ['APP_LABELS_REMOVED'],
  updateDetection: ['DETECTION_UPDATED'],
  addEmployee: ['EMPLOYEE_ADDED'],
  updateEmployee: ['EMPLOYEE_UPDATED', 'EMPLOYEE_EMAIL_UPDATED', 'LICENSE_ASSIGNED', 'LICENSE_REMOVED'],
  createEnrollmentLink: ['ENROLLMENT_LINK_CREATED'],
  addEmployeeToGroup: ['EMPLOYEE_ADDED_TO_GROUP'],
  deleteEmployeeFromGroup: ['EMPLOYEE_REMOVED_FROM_GROUP'],
  mergeEmployees: ['EMPLOYEES_MERGED'],
  unmergeEmployee: ['EMPLOYEE_UNMERGED'],
  addBlockedUrl: ['BLOCKED_URLS_ADDED'],
  deleteBlockedUrls: ['BLOCKED_URLS_REMOVED'],
  addStolenCredentials: ['STOLEN_CREDENTIALS_ADDED'],
  deleteStolenCredentials: ['STOLEN_CREDENTIALS_REMOVED'],
} as const satisfies Record<ActionId, Objects>

/** Operations of the console. */
export const auditedConsole = {
  signIn,
  signInByTotp: signIn,
  signInByRecoveryCode: signIn,
  signInByPasskey: signIn,
  openLink: failure,
  acceptLink: ['ADMIN_ADDED', 'ADMIN_SIGNED_IN', 'SETTING_UPDATED', 'ADMIN_SIGN_IN_FAILED'],
  reauthenticate: failure,
  reauthenticateByPasskey: failure,
  changePassword: ['SETTING_UPDATED', 'ADMIN_SIGN_IN_FAILED'],
  confirmTotp: setting,
  removeTotp: setting,
  addPasskey: setting,
  removePasskey: setting,
  renewRecoveryCodes: setting,
  inviteAdministrator: setting,
  revokeInvitation: setting,
  changeAdministrator: setting,
  resetAdministrator: setting,
  removeAdministrator: ['ADMIN_REMOVED'],
  createKey: ['API_KEY_ADDED'],
  rotateKey: ['API_KEY_ADDED'],
  revokeKey: ['API_KEY_REMOVED'],
  changeControls: setting,
  saveOwnProduct: setting,
  removeOwnProduct: setting,
  addBlockedUrls: ['BLOCKED_URLS_ADDED'],
  deleteBlockedUrl: ['BLOCKED_URLS_REMOVED'],
  mailEnrollmentLink: ['ENROLLMENT_LINK_CREATED'],
  offboardEmployee: setting,
  createEnrollmentToken: setting,
  revokeEnrollmentToken: setting,
  createDirectoryToken: setting,
  revokeDirectoryToken: setting,
  revokeBrowser: setting,
  removeBrowser: setting,
  changeOrganization: setting,
  changeSettings: setting,
  changePriorityRules: setting,
  saveFilter: setting,
  changeSavedFilter: setting,
  removeSavedFilter: setting,
  setDeprecation: setting,
  withdrawDeprecation: setting,
  addWebhook: ['WEBHOOK_ADDED'],
  changeWebhook: ['WEBHOOK_UPDATED'],
  removeWebhook: ['WEBHOOK_REMOVED'],
  rotateWebhook: ['WEBHOOK_UPDATED'],
  addNote: setting,
  changeIncident: ['DETECTION_UPDATED', 'SETTING_UPDATED'],
  changeWork: setting,
  askEmployee: setting,
  askEmployees: setting,
  addAlertRule: setting,
  changeAlertRule: setting,
  removeAlertRule: setting,
  changeRequestTemplate: setting,
  resetRequestTemplate: setting,
} as const satisfies Partial<Record<ConsoleOperationId, Objects>>

const ownSession = "It ends or renews the caller's own session, and the audit trail has no object for that."
const challenge = 'It returns a challenge; nothing is changed before the response arrives.'
const reads = 'It only reads; it has a body because the input exceeds a query.'
const sendsAgain = 'It resends earlier data; where it may be sent was recorded when that was configured.'

/** Operations of the console without an audit event. */
export const unauditedConsole = {
  signInPasskeyOptions: challenge,
  reauthenticatePasskeyOptions: challenge,
  beginTotp: challenge,
  beginPasskey: challenge,
  signOut: ownSession,
  signOutEverywhere: ownSession,
  countWork: reads,
  previewRequestTemplate: reads,
  previewScope: reads,
  previewExtensions: reads,
  listDeliveries: reads,
  readDelivery: reads,
  changeReportMail: 'It changes which mails the caller gets.',
  dismissFirstSteps: 'It hides a card on the overview of the caller.',
  sendTestMail: 'It sends a mail to the caller.',
  testSignOn: 'It fetches a public document of the configured provider.',
  testStream: 'It sends an invented event without data of the organization.',
  resendNotice: sendsAgain,
  testWebhook: 'It sends an invented event without data of the organization.',
  testAlertRule: 'It sends an invented event without data of the organization.',
  resendAlert: sendsAgain,
  sendAgain: sendsAgain,
} as const satisfies Partial<Record<ConsoleOperationId, string>>

/** Commands. */
export const auditedCommands: Readonly<Record<string, Objects>> = {
  'keys create': ['API_KEY_ADDED'],
  'keys revoke': ['API_KEY_REMOVED'],
  'keys rotate': ['API_KEY_ADDED'],
  'admin invite': setting,
  'admin reset-password': setting,
  'admin remove': ['ADMIN_REMOVED'],
  'org add': setting,
  'org remove': setting,
  'api deprecate': setting,
  'enrollment-tokens create': setting,
  'enrollment-tokens revoke': setting,
  'scim token create': setting,
  'scim token revoke': setting,
  'browsers revoke': setting,
  'controls set': setting,
  'catalog add': setting,
  'catalog remove': setting,
  'range load': setting,
  'webhooks add': ['WEBHOOK_ADDED'],
  'webhooks rotate': ['WEBHOOK_UPDATED'],
  'webhooks disable': ['WEBHOOK_UPDATED'],
  'webhooks enable': ['WEBHOOK_UPDATED'],
  'webhooks remove': ['WEBHOOK_REMOVED'],
  'alerts add': setting,
  'alerts set': setting,
  'alerts enable': setting,
  'alerts disable': setting,
  'alerts remove': setting,
  'employee offboard': setting,
  'employee export': ['DATA_EXPORTED'],
  'employee erase': setting,
  replay: setting,
  import: setting,
  export: ['DATA_EXPORTED'],
  'audit export': ['DATA_EXPORTED'],
  backup: ['DATA_EXPORTED'],
  restore: setting,
}

const shows = 'It only reads existing data.'

/** Commands without an audit event. */
export const unauditedCommands: Readonly<Record<string, string>> = {
  serve: 'The actions of its clients are recorded one by one.',
  mcp: 'The changes of its assistant are recorded one by one.',
  demo: 'Its invented data is recorded as the operations that it consists of.',
  'keys list': shows,
  'admin list': shows,
  'org list': shows,
  'api status': shows,
  'notices list': shows,
  'incidents list': shows,
  'notices resend': sendsAgain,
  'enrollment-tokens list': shows,
  'scim token list': shows,
  'controls show': shows,
  'catalog list': shows,
  'audit list': shows,
  'audit verify': shows,
  'alerts list': shows,
  'alerts log': shows,
  'alerts test': 'It sends an invented event without data of the organization.',
  'webhooks list': shows,
  'webhooks log': shows,
  'webhooks test': 'It sends an invented event without data of the organization.',
  'webhooks replay': sendsAgain,
  report: shows,
  'retention preview': shows,
  doctor: shows,
  config: shows,
  version: shows,
}

/** Returns the errors of a table of operations: missing ones, duplicates, and unknown ones. */
export function auditViolations(
  operations: readonly string[],
  audited: Readonly<Record<string, unknown>>,
  unaudited: Readonly<Record<string, string>>,
): string[] {
  const known = [...Object.keys(audited), ...Object.keys(unaudited)]
  const missing = operations.filter((operation) => !known.includes(operation))
  const duplicates = Object.keys(audited).filter((operation) => Object.hasOwn(unaudited, operation))
  const unknown = known.filter((operation) => !operations.includes(operation))
  const unexplained = Object.entries(unaudited).filter(([, reason]) => reason.length < 20)
  return [
    ...missing.map((operation) => `${operation} records no audit event and has no reason`),
    ...duplicates.map((operation) => `${operation} is on both lists`),
    ...unknown.map((operation) => `${operation} no longer exists`),
    ...unexplained.map(([operation]) => `${operation} has no reason for recording no event`),
  ]
}
