import { type EventSeverity, type Facts, type Person, textOf } from './event-facts.ts'

/**
 * Terms of the Open Cybersecurity Schema Framework, release 1.4.0 (github.com/ocsf/ocsf-schema): the classes that our
 * events are, their activities, and the objects that several classes have.
 */

export const ocsfVersion = '1.4.0'

/** Numbers of severities. */
export const ocsfSeverities: Readonly<Record<EventSeverity, readonly [id: number, caption: string]>> = {
  INFORMATIONAL: [1, 'Informational'],
  LOW: [2, 'Low'],
  MEDIUM: [3, 'Medium'],
  HIGH: [4, 'High'],
  CRITICAL: [5, 'Critical'],
}

/** A class of events: its number (the category is its thousands), its name, and its activities by number. */
export interface OcsfClass {
  readonly uid: number
  readonly name: string
  readonly category: string
  readonly activities: Readonly<Record<number, string>>
}

const iam = 'Identity & Access Management'

export const detectionFinding = {
  uid: 2004,
  name: 'Detection Finding',
  category: 'Findings',
  activities: { 1: 'Create', 2: 'Update', 3: 'Close' },
} as const
export const accountChange = {
  uid: 3001,
  name: 'Account Change',
  category: iam,
  activities: { 1: 'Create', 6: 'Delete', 99: 'Update' },
} as const
export const authentication = {
  uid: 3002,
  name: 'Authentication',
  category: iam,
  activities: { 1: 'Logon' },
} as const
export const entityManagement = {
  uid: 3004,
  name: 'Entity Management',
  category: iam,
  activities: { 1: 'Create', 2: 'Read', 3: 'Update', 4: 'Delete' },
} as const
export const groupManagement = {
  uid: 3006,
  name: 'Group Management',
  category: iam,
  activities: { 3: 'Add User', 4: 'Remove User' },
} as const
export const webResourcesActivity = {
  uid: 6001,
  name: 'Web Resources Activity',
  category: 'Application Activity',
  activities: { 2: 'Read' },
} as const

/** What of an event depends on its class. */
export interface Classified {
  readonly of: OcsfClass
  readonly activity: number
  /** The members of the class. */
  readonly members: Facts
  /** Profiles whose members are among them. */
  readonly profiles: readonly string[]
}

/** An event of a class, with one of its activities. */
export const classified = <const C extends OcsfClass>(
  of: C,
  activity: keyof C['activities'] & number,
  members: Facts,
  profiles: readonly string[] = [],
): Classified => ({ of, activity, members, profiles })

/** The members that have a value: the schema knows no null. */
export const given = (members: Facts): Facts =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null))

/** An object with the members that have a value; undefined if none has. */
export const objectOf = (members: Facts): Facts | undefined => {
  const object = given(members)
  return Object.keys(object).length === 0 ? undefined : object
}

/** The object `user`, which must have a name or an id. */
export const userOf = (someone: Person | undefined): Facts | undefined =>
  someone &&
  objectOf({
    uid: someone.id,
    name: someone.email ?? someone.name,
    email_addr: someone.email?.includes('@') ? someone.email : undefined,
    full_name: someone.email === undefined ? undefined : someone.name,
  })

/** The object `url`. */
export const urlOf = (text: string | undefined): Facts | undefined =>
  text === undefined ? undefined : given({ url_string: text, hostname: hostOf(text), scheme: schemeOf(text) })

/** The host of an address, if it is one. */
export const hostOf = (text: string | undefined): string | undefined =>
  (text === undefined ? null : URL.parse(text))?.hostname || undefined

const schemeOf = (text: string): string | undefined => URL.parse(text)?.protocol.replace(':', '')

/** The object `http_request`. */
export const requestOf = (facts: {
  readonly url: string | undefined
  readonly referrerUrl: string | undefined
  readonly userAgent: string | undefined
}): Facts | undefined =>
  objectOf({ url: urlOf(facts.url), referrer: facts.referrerUrl, user_agent: facts.userAgent })

/** Members of the profile `security_control` by what was done in the browser. */
export function controlOf(action: string | undefined): Facts {
  const [actionId, actionName, dispositionId, disposition] = outcomes[action ?? ''] ?? observed
  return { action_id: actionId, action: actionName, disposition_id: dispositionId, disposition }
}

type Outcome = readonly [actionId: number, action: string, dispositionId: number, disposition: string]
const observed: Outcome = [3, 'Observed', 15, 'Detected']
const denied: Outcome = [2, 'Denied', 2, 'Blocked']
const warned: Outcome = [3, 'Observed', 19, 'Alert']

/** By the mode of a control and by the response of a detection. */
const outcomes: Readonly<Record<string, Outcome>> = {
  BLOCK: denied,
  BLOCKED: denied,
  WARN: warned,
  EMPLOYEE_WARNED: warned,
  EMPLOYEE_IGNORED_WARNING: [1, 'Allowed', 19, 'Alert'],
}

/** A time as the schema has it, in milliseconds. */
export const timeOf = (record: Facts, name: string): number | undefined => {
  const seconds = record[name]
  return typeof seconds === 'number' ? seconds * 1000 : undefined
}

/** The name by which people know a record, as far as it has one. */
export const nameOf = (record: Facts): string | undefined =>
  [
    'friendlyName',
    'name',
    'domain',
    'email',
    'setting',
    'what',
    'url',
    'employeeEmail',
    'accountEmail',
    'appType',
  ]
    .map((name) => textOf(record, name))
    .find((name) => name !== undefined)
