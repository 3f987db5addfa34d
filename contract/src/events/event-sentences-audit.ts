import { appName, changedText, counted, type Facts, listed, lower, plain, quoted } from './event-words.ts'

/** A sentence about an audit event: ` by …` stands between `done` and `tail`. */
interface Clause {
  readonly done: string
  readonly tail?: string
  /** The sentence names the actor itself. */
  readonly self?: boolean
}
export type AuditSentence = (facts: Facts, actor: Facts | undefined) => Clause

const list = (facts: Facts, name: string) => (facts[name] ?? []) as readonly unknown[]
const changes = (facts: Facts): string => {
  const text = changedText(list(facts, 'changes') as readonly Facts[])
  return text === '' ? '' : `: ${text}`
}
const account = (facts: Facts) => `${plain(facts.accountEmail)}'s ${appName(facts.appType)} account`
const first = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const keyNames: Readonly<Record<string, string>> = { READ_ONLY: 'Read only', FULL_ACCESS: 'Full access' }
const key = (facts: Facts) =>
  `${keyNames[String(facts.permission)] ?? plain(facts.permission)} key ${quoted(facts.name)}`
const keyOf = (facts: Facts) => `${key(facts)} of ${plain(facts.holder)}`

const labels = (facts: Facts) => {
  const all = list(facts, 'labels')
  return `${all.length === 1 ? 'Label' : 'Labels'} ${listed(all, quoted)}`
}

function urls(facts: Facts, done: string): Clause {
  const [one] = list(facts, 'urls')
  return facts.count === 1
    ? { done: `${plain(one)} was ${done}` }
    : { done: `${counted(facts.count, 'URL')} were ${done}`, tail: `, ${plain(one)} first` }
}

const methods: Readonly<Record<string, string>> = {
  PASSWORD: 'a password',
  PASSKEY: 'a passkey',
  OIDC: 'single sign-on',
  LINK: 'a link',
}
const method = (facts: Facts) => methods[String(facts.method)] ?? lower(facts.method)
const from = (facts: Facts | undefined) =>
  facts?.sourceIpAddress ? ` from ${plain(facts.sourceIpAddress)}` : ''

/** Sentence of each audit event, by its object. */
export const auditSentences: Readonly<Record<string, AuditSentence>> = {
  API_KEY_ADDED: (facts, actor) => ({
    done: `${actor?.email === facts.holder ? key(facts) : `${key(facts)} for ${plain(facts.holder)}`} was added`,
  }),
  API_KEY_REMOVED: (facts) => ({ done: `${keyOf(facts)} was revoked` }),
  API_KEY_EXPIRED: (facts) => ({ done: `${keyOf(facts)} expired`, self: true }),
  WEBHOOK_ADDED: (facts) => ({ done: `Webhook ${plain(facts.url)} was added` }),
  WEBHOOK_UPDATED: (facts) => ({ done: `Webhook ${plain(facts.url)} was changed`, tail: changes(facts) }),
  WEBHOOK_REMOVED: (facts) => ({ done: `Webhook ${plain(facts.url)} was removed` }),
  BLOCKED_URLS_ADDED: (facts) => urls(facts, 'blocked'),
  BLOCKED_URLS_REMOVED: (facts) => urls(facts, 'unblocked'),
  STOLEN_CREDENTIALS_ADDED: (facts) => ({
    done: `${counted(facts.count, 'stolen credential')}${facts.source ? ` from ${quoted(facts.source)}` : ''} ${facts.count === 1 ? 'was' : 'were'} added`,
  }),
  STOLEN_CREDENTIALS_REMOVED: (facts) => ({
    done: `${counted(facts.count, 'stolen credential')} ${facts.count === 1 ? 'was' : 'were'} removed`,
  }),
  APP_UPDATED: (facts) => ({ done: `${appName(facts.appType)} was changed`, tail: changes(facts) }),
  APP_LABELS_ADDED: (facts) => ({
    done: `${labels(facts)} ${list(facts, 'labels').length === 1 ? 'was' : 'were'} added to ${appName(facts.appType)}`,
  }),
  APP_LABELS_REMOVED: (facts) => ({
    done: `${labels(facts)} ${list(facts, 'labels').length === 1 ? 'was' : 'were'} removed from ${appName(facts.appType)}`,
  }),
  ACCOUNT_FORGOTTEN: (facts) => ({ done: `${account(facts)} was deleted` }),
  ACCOUNT_LOGIN_METHOD_REMOVED: (facts) => ({
    done: `Login method ${lower(facts.loginMethod)} was removed from ${account(facts)}`,
  }),
  DETECTION_UPDATED: (facts) => ({
    done: `${first(lower(facts.detectionType))} detection was changed`,
    tail: changes(facts),
  }),
  EMPLOYEE_ADDED: (facts) => ({ done: `Employee ${plain(facts.employeeEmail)} was added` }),
  EMPLOYEE_UPDATED: (facts) => ({
    done: `Employee ${plain(facts.employeeEmail)} was changed`,
    tail: changes(facts),
  }),
  EMPLOYEE_EMAIL_UPDATED: (facts) => ({
    done: `The email address of employee ${plain(facts.oldEmail)} was changed to ${plain(facts.newEmail)}`,
  }),
  LICENSE_ASSIGNED: (facts) => ({ done: `A license was assigned to ${plain(facts.employeeEmail)}` }),
  LICENSE_REMOVED: (facts) => ({ done: `The license of ${plain(facts.employeeEmail)} was removed` }),
  EMPLOYEE_ADDED_TO_GROUP: (facts) => ({
    done: `${plain(facts.employeeEmail)} was added to group ${quoted(facts.group)}`,
  }),
  EMPLOYEE_REMOVED_FROM_GROUP: (facts) => ({
    done: `${plain(facts.employeeEmail)} was removed from group ${quoted(facts.group)}`,
  }),
  EMPLOYEES_MERGED: (facts) => {
    const merged = list(facts, 'mergedEmployees') as readonly Facts[]
    const names = listed(merged.map(({ employeeEmail }) => employeeEmail))
    return {
      done: `${names} ${merged.length === 1 ? 'was' : 'were'} merged into ${plain(facts.employeeEmail)}`,
    }
  },
  EMPLOYEE_UNMERGED: (facts) => ({ done: `Employee ${plain(facts.employeeEmail)} was unmerged` }),
  ENROLLMENT_LINK_CREATED: (facts) => ({
    done: `An enrollment link for ${plain(facts.employeeEmail)} was created`,
  }),
  ADMIN_SIGNED_IN: (facts, actor) => ({
    done: `${plain(facts.email)} signed in to the console with ${method(facts)}${from(actor)}`,
    self: true,
  }),
  ADMIN_SIGN_IN_FAILED: (facts) => ({
    done: `A sign-in to the console${facts.email === null ? '' : ` as ${plain(facts.email)}`} with ${method(facts)}${from(facts)} failed`,
    self: true,
  }),
  ADMIN_ADDED: (facts, actor) => ({
    done: `${plain(facts.email)} became an administrator (${lower(facts.role)})`,
    self: actor?.email === facts.email,
  }),
  ADMIN_REMOVED: (facts) => ({
    done: `Administrator ${plain(facts.email)} (${lower(facts.role)}) was removed`,
  }),
  SETTING_UPDATED: (facts) => ({
    done: `Setting ${quoted(facts.setting)} was changed`,
    tail: changes(facts),
  }),
  DATA_EXPORTED: (facts) => ({
    done: 'Data was exported',
    tail: `: ${plain(facts.what)} as ${plain(facts.format)}${facts.count ? `, ${counted(facts.count, 'record')}` : ''}`,
  }),
}
