import type { ActionId } from '@muster/contract/api'
import type { ConsoleOperationId } from '@muster/contract/console/console-api'
import type { AuditObject } from '@muster/contract/console/console-audit'

/**
 * Audit events by act: one of these whenever the act changes something, or fails to prove who somebody is. Acts that
 * change an employee leave the events of that change besides (`record-audit-events.rules.ts`). Acts that leave none are on a
 * list of their own, with the reason.
 */

type Objects = readonly [AuditObject, ...AuditObject[]]

const signIn = ['ADMIN_SIGNED_IN', 'ADMIN_SIGN_IN_FAILED'] as const
const failure = ['ADMIN_SIGN_IN_FAILED'] as const
const setting = ['SETTING_UPDATED'] as const

/** Every call of `/v1` that is no GET, with a key, or from the console under `/console/api/records`. */
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

/** Calls of the console's page. */
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
  changeOrganization: setting,
  setDeprecation: setting,
  withdrawDeprecation: setting,
  addWebhook: ['WEBHOOK_ADDED'],
  changeWebhook: ['WEBHOOK_UPDATED'],
  removeWebhook: ['WEBHOOK_REMOVED'],
  rotateWebhook: ['WEBHOOK_UPDATED'],
} as const satisfies Partial<Record<ConsoleOperationId, Objects>>

const ownSession = 'It ends or renews what only its owner has, and the events have no object for it.'
const challenge = 'It gives a question that is to be answered: nothing is set before the answer comes.'
const reads = 'It only reads; a body holds more than a query can.'
const sendsAgain = 'It sends what was told before; to whom that may go was told when it was set.'

/** Calls of the console's page that leave no event. */
export const unauditedConsole = {
  signInPasskeyOptions: challenge,
  reauthenticatePasskeyOptions: challenge,
  beginTotp: challenge,
  beginPasskey: challenge,
  signOut: ownSession,
  signOutEverywhere: ownSession,
  previewScope: reads,
  previewExtensions: reads,
  listDeliveries: reads,
  readDelivery: reads,
  saveFilter: 'It names a view of a list for oneself.',
  removeSavedFilter: 'It forgets a name of a view of a list for oneself.',
  sendTestMail: 'It sends a mail to oneself.',
  resendNotice: sendsAgain,
  testWebhook: 'It sends a made-up event, which tells nothing of the organization.',
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
  'api deprecate': setting,
  'enrollment-tokens create': setting,
  'enrollment-tokens revoke': setting,
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
  'employee erase': setting,
  replay: setting,
  import: setting,
  export: ['DATA_EXPORTED'],
  'audit export': ['DATA_EXPORTED'],
  backup: ['DATA_EXPORTED'],
  restore: setting,
}

const shows = 'It only shows what is there.'

/** Commands that leave no event. */
export const unauditedCommands: Readonly<Record<string, string>> = {
  serve: 'What is done by those whom it serves is told of each of them.',
  demo: 'What it makes up is told of the acts that it consists of.',
  'keys list': shows,
  'admin list': shows,
  'org list': shows,
  'api status': shows,
  'notices list': shows,
  'notices resend': sendsAgain,
  'enrollment-tokens list': shows,
  'controls show': shows,
  'catalog list': shows,
  'audit list': shows,
  'audit verify': shows,
  'webhooks list': shows,
  'webhooks log': shows,
  'webhooks test': 'It sends a made-up event, which tells nothing of the organization.',
  'webhooks replay': sendsAgain,
  doctor: shows,
  config: shows,
  version: shows,
}

/** What is wrong with a table of acts: those that are nowhere, those that are twice, and those that are no acts. */
export function auditViolations(
  acts: readonly string[],
  audited: Readonly<Record<string, unknown>>,
  unaudited: Readonly<Record<string, string>>,
): string[] {
  const known = [...Object.keys(audited), ...Object.keys(unaudited)]
  const nowhere = acts.filter((act) => !known.includes(act))
  const twice = Object.keys(audited).filter((act) => Object.hasOwn(unaudited, act))
  const gone = known.filter((act) => !acts.includes(act))
  const silent = Object.entries(unaudited).filter(([, reason]) => reason.length < 20)
  return [
    ...nowhere.map((act) => `${act} leaves no event of the audit trail, and nothing says why`),
    ...twice.map((act) => `${act} stands on both lists`),
    ...gone.map((act) => `${act} is no act any more`),
    ...silent.map(([act]) => `${act} does not say why it leaves no event`),
  ]
}
