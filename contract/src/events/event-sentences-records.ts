import { type FindingType, findingWords } from '../records/finding-words.ts'
import type { ChangeType } from './event-envelope.ts'
import {
  appName,
  browserName,
  changedText,
  type Facts,
  fromBrowser,
  hostOf,
  lower,
  membersChanged,
  plain,
  quoted,
} from './event-words.ts'

/** A change of a record: `now` is the record as it is, or as it was before it was removed. */
interface RecordChange {
  readonly type: ChangeType
  readonly now: Facts
  readonly old: Facts
}

const verbs: Readonly<Record<ChangeType, string>> = { CREATE: 'added', UPDATE: 'changed', DELETE: 'removed' }

/** Members that change with every use and say nothing of what happened. */
const silent: ReadonlySet<string> = new Set(['lastUsedTimestamp', 'lastOnlineTimestamp', 'employee', 'notes'])

const changes = ({ type, now, old }: RecordChange): string => {
  if (type !== 'UPDATE') return ''
  const text = changedText(membersChanged(old, now).filter(({ name }) => !silent.has(String(name))))
  return text === '' ? '' : `: ${text}`
}

const whole =
  (subject: (record: Facts) => string) =>
  (change: RecordChange): string =>
    `${subject(change.now)} was ${verbs[change.type]}${changes(change)}`

const emailOf = (part: unknown): string | undefined => {
  const email = (part as Facts | null | undefined)?.email
  return typeof email === 'string' && email !== '' ? plain(email) : undefined
}

function finding({ type, now, old }: RecordChange): string {
  const name = findingWords[now.type as FindingType]?.eventName ?? lower(now.type)
  const who = emailOf(now.employee) ?? 'an unknown employee'
  const where = now.appType === null ? who : `${who}'s ${appName(now.appType)} account`
  if (type === 'DELETE') return `${name} on ${where} was removed`
  if (now.state === 'RESOLVED') return `${name} on ${where} was resolved`
  if (type === 'UPDATE') return `${name} ${old.state === 'OPEN' ? 'changed' : 'found again'} on ${where}`
  return `${name} found on ${where}`
}

const detectionNames: Readonly<Record<string, string>> = {
  PHISHING: 'Phishing',
  STOLEN_CREDENTIALS: 'Stolen credentials',
  BLOCKED_URL: 'Visit of a blocked URL',
  MALWARE_DELIVERY: 'Malware delivery',
  MALICIOUS_BROWSER_EXTENSION: 'Malicious browser extension',
}

function detection(change: RecordChange): string {
  const { type, now } = change
  const name = detectionNames[String(now.detectionType)] ?? lower(now.detectionType)
  const host = hostOf(now.url)
  const who = emailOf(now.employee) ?? 'an employee'
  const place = `${who}${host === undefined ? '' : ` on ${host}`}`
  if (type !== 'CREATE') return `${name} detection for ${place} was ${verbs[type]}${changes(change)}`
  return `${name} detected for ${place} (severity ${lower(now.severity)}, ${lower(now.response)})`
}

const entities: Readonly<Record<string, (change: RecordChange) => string>> = {
  ACCOUNT: whole(({ email, appType }) => `${plain(email)}'s ${appName(appType)} account`),
  ACCOUNT_OTHER: whole(({ email }) => `${plain(email)}'s account on an unrecognized app`),
  APP: whole(({ friendlyName }) => `App ${plain(friendlyName)}`),
  APP_OTHER: whole(({ domain }) => `Unrecognized app ${plain(domain)}`),
  BROWSER: whole((record) => `${plain(record.email)}'s browser (${browserName(record)})`),
  BROWSER_EXTENSION: whole(
    ({ name, version, employee }) =>
      `Browser extension ${quoted(name)} ${plain(version)} of ${emailOf(employee) ?? 'an unknown employee'}`,
  ),
  EMPLOYEE: whole(({ email }) => `Employee ${plain(email)}`),
  FINDING: finding,
}

/** Returns what says a change of a record of an object. All other objects than these are detections. */
export const recordSentences = (object: string): ((change: RecordChange) => string) =>
  entities[object] ?? detection

/** Returns how a login was done. */
function way({ loginType, identityProvider }: Facts): string {
  const provider = identityProvider === null ? '' : appName(identityProvider)
  switch (loginType) {
    case 'PASSWORD_LOGIN':
      return 'a password'
    case 'OKTA_SWA_LOGIN':
      return 'Okta SWA'
    default: {
      const protocol = protocols[String(loginType)] ?? lower(loginType)
      return provider === '' ? protocol : `${provider} (${protocol})`
    }
  }
}

const protocols: Readonly<Record<string, string>> = {
  OIDC_LOGIN: 'OpenID Connect',
  SAML_LOGIN: 'SAML',
  VENDOR_SSO_LOGIN: 'vendor single sign-on',
  FEDCM_LOGIN: 'FedCM',
}

const outcomes: Readonly<Record<string, string>> = { WARN: ' and was warned', BLOCK: ' and was blocked' }
const who = ({ employee }: Facts) => emailOf(employee) ?? 'An employee'
const site = (facts: Facts) => hostOf(facts.url) ?? 'an unknown page'
const app = ({ appType }: Facts, otherwise: string | (() => string)) => {
  if (appType !== null) return appName(appType)
  return typeof otherwise === 'string' ? otherwise : otherwise()
}
const met = (facts: Facts, verb: string) =>
  `${who(facts)} ${verb} on ${site(facts)}${fromBrowser(facts)}${outcomes[String(facts.mode)] ?? ''}`

function banner(facts: Facts): string {
  const { title } = (facts.appBanner ?? {}) as Facts
  const verb = facts.action === 'ACKNOWLEDGED' ? 'acknowledged' : 'was shown'
  const reason = facts.reason ? `, giving the reason ${quoted(facts.reason)}` : ''
  return `${who(facts)} ${verb} the banner ${quoted(title)} on ${app(facts, 'an unrecognized app')}${fromBrowser(facts)}${reason}`
}

/** Sentence of each event of the categories ACTIVITY and CONTROL, by its object. */
export const seenSentences: Readonly<Record<string, (facts: Facts) => string>> = {
  LOGIN: (facts) =>
    `${plain(facts.email)} signed in to ${app(facts, () => hostOf(facts.loginUrl) ?? 'an unknown app')} with ${way(facts)}${fromBrowser(facts)}`,
  BLOCKED_URL_VISITED: (facts) => `${who(facts)} was kept from opening ${site(facts)}${fromBrowser(facts)}`,
  CLONED_LOGIN_PAGE_DETECTED: (facts) =>
    met(facts, `opened a page that imitates the login of ${app(facts, 'an app')}`),
  PHISHING_TOOL_DETECTED: (facts) => met(facts, 'opened a page with marks of a phishing tool'),
  PROTECTED_PASSWORD_ENTERED: (facts) =>
    met(facts, `entered the password of ${app(facts, 'a protected app')}`),
  STOLEN_CREDENTIALS_DETECTED: (facts) =>
    `${who(facts)} signed in to ${app(facts, () => site(facts))} with a stolen password${fromBrowser(facts)}`,
  MALICIOUS_COPY_PASTE_DETECTED: (facts) =>
    met(facts, 'opened a page that copies a command to the clipboard'),
  MALICIOUS_BROWSER_EXTENSION_DETECTED: (facts) =>
    `Malicious browser extension ${plain(facts.extensionId)} was ${facts.mode === 'BLOCK' ? 'disabled' : 'found'} in ${who(facts)}'s browser${fromBrowser(facts)}`,
  APP_BANNER: banner,
}
