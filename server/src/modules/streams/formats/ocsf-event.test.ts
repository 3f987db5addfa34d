import {
  type EventObject,
  eventObjects,
  exampleEventOf,
  type WebhookEvent,
} from '@muster/contract/events/event-objects'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from './event-facts.ts'
import { ocsfEvent } from './ocsf-event.ts'

/** Members that schema release 1.4.0 requires of every event and of each class that Muster uses. */
const always = 'activity_id category_uid class_uid metadata severity_id time type_uid'
const required: Readonly<Record<number, string>> = {
  2004: 'finding_info',
  3001: 'user',
  3002: 'user service',
  3004: 'entity',
  3006: 'group user',
  6001: 'web_resources',
}
const activities: Readonly<Record<number, readonly number[]>> = {
  2004: [1, 2, 3],
  3001: [1, 6, 99],
  3002: [1],
  3004: [1, 2, 3, 4],
  3006: [3, 4],
  6001: [2],
}

/** Allowed members of every event, class and profile that Muster uses. */
const common = `${always} activity_name category_name class_name message severity status status_id type_name unmapped`
const ofClass: Readonly<Record<number, string>> = {
  2004: 'evidences finding_info is_alert resources',
  3001: 'actor src_endpoint user',
  3002: 'actor auth_protocol auth_protocol_id dst_endpoint http_request is_remote service src_endpoint user',
  3004: 'actor comment entity entity_result src_endpoint',
  3006: 'actor group src_endpoint user',
  6001: 'dst_endpoint http_request src_endpoint web_resources',
}
const ofProfile: Readonly<Record<string, string>> = {
  host: 'actor device',
  security_control: 'action action_id disposition disposition_id is_alert',
}
/** Objects with "at least one of" constraints in the schema. */
const atLeastOne: Readonly<Record<string, string>> = {
  actor: 'app_name app_uid invoked_by process session user',
  dst_endpoint: 'hostname ip name uid',
  entity: 'name uid',
  entity_result: 'name uid',
  evidences: 'actor src_endpoint url user',
  finding_info: 'uid',
  group: 'name uid',
  product: 'name uid',
  resources: 'name uid',
  service: 'name uid',
  src_endpoint: 'hostname ip name uid',
  user: 'account name uid',
  web_resources: 'name uid',
}

/** Returns the paths of objects that violate an "at least one of" constraint. */
const lacking = (value: unknown, name = '', path = ''): string[] => {
  if (Array.isArray(value)) return value.flatMap((one) => lacking(one, name, path))
  if (typeof value !== 'object' || value === null) return []
  const members = Object.entries(value)
  const wanted = atLeastOne[name]?.split(' ')
  const lacks = wanted !== undefined && !members.some(([member]) => wanted.includes(member))
  const within = members.filter(([member]) => member !== 'data')
  return [
    ...(lacks ? [path] : []),
    ...within.flatMap(([member, one]) => lacking(one, member, `${path}.${member}`)),
  ]
}

const changes = (event: WebhookEvent): WebhookEvent[] =>
  'type' in event
    ? [
        event,
        { ...event, type: 'UPDATE', old: event.new } as WebhookEvent,
        { ...event, type: 'DELETE', new: null, old: event.new } as WebhookEvent,
      ]
    : [event]

const nulls = (value: unknown, path = ''): string[] => {
  if (value === null || value === undefined) return [path]
  if (typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, member]) => nulls(member, `${path}.${name}`))
}

describe.each(eventObjects)('%s', (object) => {
  const events = changes(exampleEventOf(object) as WebhookEvent).map((event) => ocsfEvent(event, 'org-1'))

  test('has the required members and a valid activity of its class', () => {
    for (const event of events) {
      const uid = event.class_uid as number
      const wanted = `${always} ${required[uid]}`.split(' ')
      expect(wanted.filter((name) => event[name] === undefined)).toEqual([])
      expect(activities[uid]).toContain(event.activity_id)
      expect(event.type_uid).toBe(uid * 100 + (event.activity_id as number))
      expect(event.category_uid).toBe(Math.floor(uid / 1000))
      expect(event.metadata).toMatchObject({ version: '1.4.0', event_code: object, tenant_uid: 'org-1' })
      expect(event.time).toBe(1_763_712_000_000)
    }
  })

  test('has only members of its class and profiles, and no incomplete object', () => {
    for (const { unmapped: _, ...event } of events) {
      const { profiles = [] } = event.metadata as { profiles?: string[] }
      const known = [common, ofClass[event.class_uid as number], ...profiles.map((name) => ofProfile[name])]
      const names = new Set(known.join(' ').split(' '))
      expect(Object.keys(event).filter((name) => !names.has(name))).toEqual([])
      expect(lacking(event)).toEqual([])
    }
  })

  test('has no empty member outside of unmapped', () => {
    expect(events.flatMap(({ unmapped: _, ...mapped }) => nulls(mapped))).toEqual([])
  })
})

const classOf = (object: EventObject): unknown[] => {
  const { class_uid, activity_id } = ocsfEvent(exampleEventOf(object) as WebhookEvent, 'org-1')
  return [class_uid, activity_id]
}

test.each([
  ['LOGIN', 3002, 1],
  ['ADMIN_SIGNED_IN', 3002, 1],
  ['ADMIN_SIGN_IN_FAILED', 3002, 1],
  ['ACCOUNT', 3001, 1],
  ['ADMIN_REMOVED', 3001, 6],
  ['EMPLOYEE', 3004, 1],
  ['BLOCKED_URLS_REMOVED', 3004, 4],
  ['APP_LABELS_REMOVED', 3004, 3],
  ['DATA_EXPORTED', 3004, 2],
  ['EMPLOYEE_ADDED_TO_GROUP', 3006, 3],
  ['EMPLOYEE_REMOVED_FROM_GROUP', 3006, 4],
  ['PHISHING', 2004, 1],
  ['FINDING', 2004, 1],
  ['BLOCKED_URL_VISITED', 6001, 2],
  ['APP_BANNER', 6001, 2],
] as const)('%s is of class %i, activity %i', (object, uid, activity) => {
  expect(classOf(object)).toEqual([uid, activity])
})

const detection = exampleEventOf('PHISHING') as WebhookEvent & { new: JsonObject }
const changedTo = (members: JsonObject): JsonObject =>
  ocsfEvent(
    {
      ...detection,
      type: 'UPDATE',
      old: detection.new,
      new: { ...detection.new, ...members },
    } as WebhookEvent,
    'org-1',
  )

test.each([
  [{}, { activity_id: 2, status_id: 1, is_alert: true }],
  [{ archived: true }, { activity_id: 3, status_id: 5, is_alert: false }],
  [{ classification: 'FALSE_POSITIVE' }, { activity_id: 3, status_id: 3 }],
  [{ classification: 'TRUE_POSITIVE' }, { activity_id: 2, status_id: 1 }],
  [{ severity: 'CRITICAL' }, { severity_id: 5 }],
  [{ response: 'BLOCKED' }, { action_id: 2, disposition_id: 2 }],
  [{ response: 'EMPLOYEE_WARNED' }, { action_id: 3, disposition_id: 19 }],
  [{ response: 'EMPLOYEE_IGNORED_WARNING' }, { action_id: 1, disposition_id: 19 }],
  [{ response: 'MONITORED' }, { action_id: 3, disposition_id: 15 }],
])('maps a detection changed to %j', (members, expected) => {
  expect(changedTo(members)).toMatchObject(expected)
})

test('maps an API key to the app and its holder to the user', () => {
  const actor = {
    source: 'API',
    apiKeyName: 'siem',
    apiKeyCreatedBy: 'ada@example.com',
    sourceIpAddress: '192.0.2.1',
  }
  const event = { ...exampleEventOf('APP_UPDATED'), actor } as WebhookEvent
  expect(ocsfEvent(event, 'org-1')).toMatchObject({
    actor: { app_name: 'siem', user: { name: 'ada@example.com', email_addr: 'ada@example.com' } },
    src_endpoint: { ip: '192.0.2.1' },
  })
})
