import type { WebhookEvent } from '@muster/contract/events/event-objects'
import { type EventFacts, type JsonObject, partOf, textOf } from './event-facts.ts'
import {
  accountChange,
  authentication,
  type Classified,
  classified,
  controlOf,
  detectionFinding,
  entityManagement,
  groupManagement,
  hostOf,
  nameOf,
  objectOf,
  requestOf,
  timeOf,
  urlOf,
  userOf,
  webResourcesActivity,
  withoutEmpty,
} from './ocsf-schema.ts'

/** Maps an event to its OCSF class and the members of that class. */
export function classify(event: WebhookEvent, facts: EventFacts): Classified {
  if (event.category === 'DETECTION' || event.object === 'FINDING') return finding(event, facts)
  if (event.category === 'CONTROL') return control(event, facts)
  if (facts.succeeded !== undefined) return signIn(event, facts)
  switch (event.object) {
    case 'ACCOUNT':
    case 'ACCOUNT_OTHER':
    case 'ADMIN_ADDED':
    case 'ADMIN_REMOVED':
      return account(event, facts)
    case 'EMPLOYEE_ADDED_TO_GROUP':
    case 'EMPLOYEE_REMOVED_FROM_GROUP':
      return group(event, facts)
    default:
      return entity(event, facts)
  }
}

const changeOf = (event: WebhookEvent) => ('type' in event ? event.type : undefined)

/** Returns the source endpoint: the browser of the employee or of the administrator. */
const endpointOf = ({ sourceIpAddress }: EventFacts): JsonObject | undefined =>
  objectOf({ ip: sourceIpAddress })

/** Returns the actor of a change. The name of an API key becomes the name of the app. */
function actorOf({ source, sourceKind }: EventFacts): JsonObject | undefined {
  if (sourceKind !== 'API') return objectOf({ user: userOf(source) })
  return objectOf({ app_name: source?.name, user: userOf(source && { email: source.email }) })
}

function finding(event: WebhookEvent, facts: EventFacts): Classified {
  const { record } = facts
  const status = statusOf(event, record)
  const closed = status.status_id !== 1
  const user = userOf(facts.source ?? { id: textOf(record, 'employeeId') })
  const evidence = objectOf({
    user,
    url: urlOf(facts.url),
    src_endpoint: endpointOf(facts),
    http_request: requestOf(facts),
  })
  const detected = event.category === 'DETECTION'
  const activity = closed ? 3 : changeOf(event) === 'CREATE' ? 1 : 2
  const members = {
    finding_info: withoutEmpty({
      uid: facts.recordId,
      title: detected ? event.friendlyName : String(record.type),
      desc: event.description,
      types: [String(detected ? record.detectionType : record.type)],
      created_time: timeOf(record, 'creationTimestamp'),
      modified_time: timeOf(record, 'lastUpdatedTimestamp'),
      first_seen_time: timeOf(record, 'creationTimestamp'),
      last_seen_time: timeOf(record, 'lastActivityTimestamp'),
      src_url: textOf(record, 'detectionLink'),
    }),
    ...status,
    is_alert: detected && !closed,
    evidences: evidence && [evidence],
    resources: resourcesOf(record),
    ...(detected ? controlOf(facts.action) : {}),
  }
  return classified(detectionFinding, activity, members, detected ? ['security_control'] : [])
}

/** Maps classification, archiving and state to an OCSF status. */
function statusOf(event: WebhookEvent, record: JsonObject): { status_id: number; status: string } {
  if (event.new === null) return { status_id: 99, status: 'Deleted' }
  if (record.archived === true) return { status_id: 5, status: 'Archived' }
  if (record.classification === 'FALSE_POSITIVE' || record.classification === 'BENIGN_TRUE_POSITIVE')
    return { status_id: 3, status: 'Suppressed' }
  return record.state === 'RESOLVED' ? { status_id: 4, status: 'Resolved' } : { status_id: 1, status: 'New' }
}

function resourcesOf(record: JsonObject): JsonObject[] | undefined {
  const resources = [
    { type: 'Account', uid: textOf(record, 'accountId') },
    { type: 'App', uid: textOf(record, 'appId'), name: textOf(record, 'appType') },
  ].filter(({ uid }) => uid !== undefined)
  return resources.length === 0 ? undefined : resources.map(withoutEmpty)
}

function control(event: WebhookEvent, facts: EventFacts): Classified {
  const banner = partOf(facts.record, 'appBanner')
  const mode = event.object === 'BLOCKED_URL_VISITED' ? 'BLOCK' : textOf(banner ?? {}, 'mode')
  const extension = textOf(facts.record, 'extensionId')
  const members = {
    web_resources: [
      withoutEmpty({
        name: extension ?? hostOf(facts.url) ?? facts.appType ?? event.friendlyName,
        uid: extension,
        type: extension === undefined ? 'page' : 'browser extension',
        url_string: facts.url,
      }),
    ],
    actor: objectOf({ user: userOf(facts.source) }),
    http_request: requestOf(facts),
    src_endpoint: endpointOf(facts),
    dst_endpoint: objectOf({ hostname: hostOf(facts.url) }),
    is_alert: event.object !== 'APP_BANNER',
    ...controlOf(mode ?? facts.action),
  }
  // This class has an actor only with the host profile.
  return classified(webResourcesActivity, 2, members, ['host', 'security_control'])
}

/** OCSF authentication protocols by login method. */
const protocols: Readonly<Record<string, readonly [id: number, caption: string]>> = {
  OIDC_LOGIN: [4, 'OpenID'],
  OIDC: [4, 'OpenID'],
  SAML_LOGIN: [5, 'SAML'],
}

function signIn(event: WebhookEvent, facts: EventFacts): Classified {
  const { record, succeeded, source, target } = facts
  const atApp = event.object === 'LOGIN'
  const method = textOf(record, 'loginType') ?? textOf(record, 'method') ?? 'UNKNOWN'
  const [protocolId, protocol] = protocols[method] ?? [99, method]
  const user = userOf(source ?? target) ?? { name: 'unknown' }
  return classified(authentication, 1, {
    user,
    service: { name: atApp ? (facts.appType ?? hostOf(facts.url) ?? 'unknown') : 'Muster console' },
    dst_endpoint: objectOf({ hostname: hostOf(facts.url) }),
    src_endpoint: endpointOf(facts),
    http_request: requestOf(facts),
    auth_protocol_id: protocolId,
    auth_protocol: protocol,
    is_remote: true,
    status_id: succeeded ? 1 : 2,
    status: succeeded ? 'Success' : 'Failure',
  })
}

function account(event: WebhookEvent, facts: EventFacts): Classified {
  const added = changeOf(event) === 'CREATE' || event.object === 'ADMIN_ADDED'
  const removed = changeOf(event) === 'DELETE' || event.object === 'ADMIN_REMOVED'
  return classified(accountChange, added ? 1 : removed ? 6 : 99, {
    user: userOf({ id: facts.recordId, email: textOf(facts.record, 'email') }),
    actor: actorOf(facts),
    src_endpoint: endpointOf(facts),
  })
}

function group(event: WebhookEvent, facts: EventFacts): Classified {
  return classified(groupManagement, event.object === 'EMPLOYEE_ADDED_TO_GROUP' ? 3 : 4, {
    group: { name: textOf(facts.record, 'group') },
    user: userOf(facts.target),
    actor: actorOf(facts),
    src_endpoint: endpointOf(facts),
  })
}

/** OCSF activities by the suffix of an audit object. */
const activitySuffixes: readonly (readonly [RegExp, 1 | 2 | 4])[] = [
  [/_(?:ADDED|CREATED|ASSIGNED)$/, 1],
  [/_(?:REMOVED|FORGOTTEN|EXPIRED)$/, 4],
  [/_EXPORTED$/, 2],
]
/** Objects that are updates of a record despite their suffix. */
const updateObjects = new Set([
  'APP_LABELS_ADDED',
  'APP_LABELS_REMOVED',
  'LICENSE_ASSIGNED',
  'LICENSE_REMOVED',
  'ACCOUNT_LOGIN_METHOD_REMOVED',
])

function activityOf(event: WebhookEvent): 1 | 2 | 3 | 4 {
  const change = changeOf(event)
  if (change !== undefined) return { CREATE: 1, UPDATE: 3, DELETE: 4 }[change] as 1 | 3 | 4
  if (updateObjects.has(event.object)) return 3
  return activitySuffixes.find(([suffix]) => suffix.test(event.object))?.[1] ?? 3
}

/** Returns the type of the entity: the name of the event without its verb. */
const typeOf = ({ friendlyName }: WebhookEvent): string =>
  friendlyName.replace(
    / (?:added|assigned|created|expired|exported|forgotten|merged|removed|unmerged|updated)$/,
    '',
  )

function entity(event: WebhookEvent, facts: EventFacts): Classified {
  const entityOf = (record: unknown): JsonObject | undefined =>
    record === null || record === undefined
      ? undefined
      : withoutEmpty({
          name: nameOf(record as JsonObject) ?? event.friendlyName,
          uid: facts.recordId,
          type: typeOf(event),
          data: record,
        })
  const old = 'old' in event ? event.old : null
  return classified(entityManagement, activityOf(event), {
    entity: entityOf(old ?? event.new),
    entity_result: old === null ? undefined : entityOf(event.new),
    actor: actorOf(facts),
    src_endpoint: endpointOf(facts),
    comment: event.description,
  })
}
