import { type EventSeverity, type JsonObject, type Person, textOf } from './event-facts.ts'

/**
 * The parts of the Open Cybersecurity Schema Framework, release 1.4.0 (github.com/ocsf/ocsf-schema), that Muster uses:
 * classes, activities and shared objects.
 */

export const ocsfVersion = '1.4.0'

export const ocsfSeverities: Readonly<Record<EventSeverity, readonly [id: number, caption: string]>> = {
  INFORMATIONAL: [1, 'Informational'],
  LOW: [2, 'Low'],
  MEDIUM: [3, 'Medium'],
  HIGH: [4, 'High'],
  CRITICAL: [5, 'Critical'],
}

/** An event class. The category ID is `uid / 1000`; activities are keyed by ID. */
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

/** The class-specific part of an event. */
export interface Classified {
  readonly of: OcsfClass
  readonly activity: number
  readonly members: JsonObject
  /** Profiles that members belong to. */
  readonly profiles: readonly string[]
}

/** Creates the class-specific part of an event; `activity` must be one of the class. */
export const classified = <const C extends OcsfClass>(
  of: C,
  activity: keyof C['activities'] & number,
  members: JsonObject,
  profiles: readonly string[] = [],
): Classified => ({ of, activity, members, profiles })

/** Removes members without a value, since the schema does not allow null. */
export const withoutEmpty = (members: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null))

/** Returns an object without empty members; undefined if all are empty. */
export const objectOf = (members: JsonObject): JsonObject | undefined => {
  const object = withoutEmpty(members)
  return Object.keys(object).length === 0 ? undefined : object
}

/** Returns the `user` object, which must have a name or an ID. */
export const userOf = (person: Person | undefined): JsonObject | undefined =>
  person &&
  objectOf({
    uid: person.id,
    name: person.email ?? person.name,
    email_addr: person.email?.includes('@') ? person.email : undefined,
    full_name: person.email === undefined ? undefined : person.name,
  })

/** Returns the `url` object. */
export const urlOf = (text: string | undefined): JsonObject | undefined =>
  text === undefined
    ? undefined
    : withoutEmpty({ url_string: text, hostname: hostOf(text), scheme: schemeOf(text) })

/** Returns the host of a URL; undefined if the text is not a URL. */
export const hostOf = (text: string | undefined): string | undefined =>
  (text === undefined ? null : URL.parse(text))?.hostname || undefined

const schemeOf = (text: string): string | undefined => URL.parse(text)?.protocol.replace(':', '')

/** Returns the `http_request` object. */
export const requestOf = (facts: {
  readonly url: string | undefined
  readonly referrerUrl: string | undefined
  readonly userAgent: string | undefined
}): JsonObject | undefined =>
  objectOf({ url: urlOf(facts.url), referrer: facts.referrerUrl, user_agent: facts.userAgent })

/** Returns the members of the `security_control` profile for an action in the browser. */
export function controlOf(action: string | undefined): JsonObject {
  const [actionId, actionName, dispositionId, disposition] = outcomes[action ?? ''] ?? observed
  return { action_id: actionId, action: actionName, disposition_id: dispositionId, disposition }
}

type Outcome = readonly [actionId: number, action: string, dispositionId: number, disposition: string]
const observed: Outcome = [3, 'Observed', 15, 'Detected']
const denied: Outcome = [2, 'Denied', 2, 'Blocked']
const warned: Outcome = [3, 'Observed', 19, 'Alert']

/** Outcomes by mode of a control or response of a detection. */
const outcomes: Readonly<Record<string, Outcome>> = {
  BLOCK: denied,
  BLOCKED: denied,
  WARN: warned,
  EMPLOYEE_WARNED: warned,
  EMPLOYEE_IGNORED_WARNING: [1, 'Allowed', 19, 'Alert'],
}

/** Returns a timestamp in milliseconds. */
export const timeOf = (record: JsonObject, name: string): number | undefined => {
  const seconds = record[name]
  return typeof seconds === 'number' ? seconds * 1000 : undefined
}

/** Returns the display name of a record. */
export const nameOf = (record: JsonObject): string | undefined =>
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
