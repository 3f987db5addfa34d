import type { EventObject, WebhookEvent } from '@muster/contract/events/event-objects'
import { version } from '../../../kernel/lib/version.ts'
import { type EventFacts, type EventSeverity, factsOf, type JsonObject, type Person } from './event-facts.ts'
import { withoutEmpty } from './ocsf-schema.ts'
import type { StreamedEvent } from './stream-line.ts'

/** Release of the Elastic Common Schema that the documents follow. */
export const ecsVersion = '8.11.0'

/** Category and type of an event: the combinations that ECS allows. */
interface EcsClass {
  readonly category: string
  readonly type: string
}

const severityNumbers: Readonly<Record<EventSeverity, number>> = {
  INFORMATIONAL: 1,
  LOW: 21,
  MEDIUM: 47,
  HIGH: 73,
  CRITICAL: 99,
}

/** Categories of entities. All others are changes of the configuration. */
const entityCategories: Readonly<Partial<Record<EventObject, string>>> = {
  EMPLOYEE: 'iam',
  ACCOUNT: 'iam',
  ACCOUNT_OTHER: 'iam',
  BROWSER: 'host',
  BROWSER_EXTENSION: 'package',
  FINDING: 'vulnerability',
}

const changeTypes: Readonly<Record<string, string>> = {
  CREATE: 'creation',
  UPDATE: 'change',
  DELETE: 'deletion',
}
/** Types that a category allows, if not all of {@link changeTypes}. */
const onlyTypes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  host: { CREATE: 'info', UPDATE: 'change', DELETE: 'info' },
  package: { CREATE: 'installation', UPDATE: 'change', DELETE: 'deletion' },
  vulnerability: { CREATE: 'info', UPDATE: 'info', DELETE: 'info' },
}

const controlTypes: Readonly<Record<string, string>> = {
  BLOCK: 'denied',
  WARN: 'allowed',
  MONITOR: 'allowed',
}
const signIns: ReadonlySet<string> = new Set(['LOGIN', 'ADMIN_SIGNED_IN', 'ADMIN_SIGN_IN_FAILED'])

function classOf(event: WebhookEvent, facts: EventFacts): EcsClass {
  if (signIns.has(event.object)) return { category: 'authentication', type: 'start' }
  if (event.category === 'DETECTION') return { category: 'intrusion_detection', type: 'info' }
  if (event.category === 'CONTROL')
    return { category: 'intrusion_detection', type: controlTypes[facts.action ?? ''] ?? 'info' }
  if (event.category === 'ENTITY') {
    const category = entityCategories[event.object] ?? 'configuration'
    return { category, type: (onlyTypes[category] ?? changeTypes)[event.type] ?? 'info' }
  }
  const isAboutPeople = /^(?:EMPLOYEE|ADMIN|LICENSE|ACCOUNT|API_KEY)/.test(event.object)
  const type = /_(?:ADDED|CREATED|ASSIGNED)$/.test(event.object)
    ? 'creation'
    : /_(?:REMOVED|FORGOTTEN|EXPIRED)$/.test(event.object)
      ? 'deletion'
      : 'change'
  return { category: isAboutPeople ? 'iam' : 'configuration', type }
}

const personOf = (person: Person | undefined): JsonObject | undefined =>
  person && withoutEmpty({ id: person.id, email: person.email, name: person.name })

/**
 * Maps an event to the Elastic Common Schema. The whole event is in `event.original` as text: as objects, its records would
 * create a field per member, with types that differ between events, and documents with another type would be refused.
 */
export function ecsEvent({
  event,
  body,
  organizationId,
}: StreamedEvent & { event: WebhookEvent }): JsonObject {
  const facts = factsOf(event)
  const { category, type } = classOf(event, facts)
  const source = personOf(facts.source)
  const target = personOf(facts.target)
  const isAlert = event.category === 'DETECTION' || event.category === 'CONTROL'
  const users = [facts.source, facts.target].flatMap((person) => person?.email ?? person?.name ?? [])
  return withoutEmpty({
    '@timestamp': new Date(event.timestamp * 1000).toISOString(),
    message: event.description,
    ecs: { version: ecsVersion },
    event: withoutEmpty({
      id: event.id,
      kind: isAlert ? 'alert' : 'event',
      category: [category],
      type: [type],
      action: event.object.toLowerCase().replaceAll('_', '-'),
      outcome: facts.succeeded === undefined ? undefined : facts.succeeded ? 'success' : 'failure',
      severity: severityNumbers[facts.severity],
      module: 'muster',
      dataset: 'muster.events',
      provider: 'muster',
      original: body,
    }),
    organization: { id: organizationId },
    observer: { vendor: 'Muster', product: 'Muster', type: 'workforce-security', version },
    user: source || target ? withoutEmpty({ ...source, target }) : undefined,
    source: facts.sourceIpAddress === undefined ? undefined : { ip: facts.sourceIpAddress },
    user_agent: facts.userAgent === undefined ? undefined : { original: facts.userAgent },
    url: facts.url === undefined ? undefined : { full: facts.url },
    http: facts.referrerUrl === undefined ? undefined : { request: { referrer: facts.referrerUrl } },
    related: withoutEmpty({
      user: users.length === 0 ? undefined : users,
      ip: facts.sourceIpAddress === undefined ? undefined : [facts.sourceIpAddress],
    }),
    muster: withoutEmpty({
      category: event.category,
      object: event.object,
      severity: facts.severity,
      action: facts.action,
      record_id: facts.recordId,
      app_type: facts.appType,
      actor_source: facts.sourceKind,
    }),
  })
}
