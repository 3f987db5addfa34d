import type { EventObject, WebhookEvent } from '@muster/contract/event-objects'
import { findingSeverity } from '../../findings/types/finding-types.ts'

/**
 * What receivers that know nothing of our records want to hear of an event: how bad it is, who did it, to whom, where.
 * Every format takes its members from here, so that two formats never tell of one event differently.
 */

/** How bad what happened is, from nothing to worry about to what cannot wait. */
export const eventSeverities = ['INFORMATIONAL', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const
export type EventSeverity = (typeof eventSeverities)[number]

/** A record or a part of one, looked into by name. */
export type Facts = Readonly<Record<string, unknown>>

/** Somebody; at least one of the members is there. */
export interface Person {
  readonly id?: string | undefined
  readonly email?: string | undefined
  readonly name?: string | undefined
}

export interface EventFacts {
  readonly severity: EventSeverity
  /** The record: as it is, or as it was before it was removed. */
  readonly record: Facts
  readonly recordId: string | undefined
  /** Who acted: the employee in whose browser it happened, or who made the change that the audit trail tells of. */
  readonly source: Person | undefined
  /** By which way the change came (`UI`, `API`, …); only of the audit trail. */
  readonly sourceKind: string | undefined
  /** Whose record it is, where somebody else, or nobody, acted. */
  readonly target: Person | undefined
  readonly sourceIpAddress: string | undefined
  readonly userAgent: string | undefined
  readonly url: string | undefined
  readonly referrerUrl: string | undefined
  readonly appType: string | undefined
  /** What was done in one word: what became of the record, or what a control did. */
  readonly action: string | undefined
  /** Whether a sign-in succeeded; undefined of all that is none. */
  readonly succeeded: boolean | undefined
}

/** Objects that are more than a matter of record. Detections say themselves how bad they are. */
const severities: Readonly<Partial<Record<EventObject, EventSeverity>>> = {
  BLOCKED_URL_VISITED: 'MEDIUM',
  PROTECTED_PASSWORD_ENTERED: 'MEDIUM',
  CLONED_LOGIN_PAGE_DETECTED: 'HIGH',
  PHISHING_TOOL_DETECTED: 'HIGH',
  STOLEN_CREDENTIALS_DETECTED: 'HIGH',
  MALICIOUS_COPY_PASTE_DETECTED: 'HIGH',
  MALICIOUS_BROWSER_EXTENSION_DETECTED: 'HIGH',
  ADMIN_SIGN_IN_FAILED: 'LOW',
}

/** A member that is a text with something in it. */
export function textOf(facts: Facts | undefined, name: string): string | undefined {
  const value = facts?.[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A member that is an object. */
export function partOf(facts: Facts, name: string): Facts | undefined {
  const value = facts[name]
  return typeof value === 'object' && value !== null ? (value as Facts) : undefined
}

/** What an event tells, in the terms that all formats share. */
export function factsOf(event: WebhookEvent): EventFacts {
  const changed = 'type' in event ? event : undefined
  const record = (event.new ?? changed?.old ?? {}) as Facts
  const actor = 'actor' in event ? (event.actor as Facts | null) : null
  const seenBy = seer(event, record)
  const connection = actor ?? record
  const succeeded = outcomeOf(event.object)
  return {
    severity: severityOf(event, record),
    record,
    recordId: recordIdOf(event, record),
    source: actor === null ? seenBy : actorOf(actor),
    sourceKind: textOf(actor ?? undefined, 'source'),
    target: seenBy === undefined && succeeded !== true ? targetOf(event, record) : undefined,
    sourceIpAddress: textOf(connection, 'sourceIpAddress') ?? textOf(record, 'sourceIpAddress'),
    userAgent: textOf(connection, 'userAgent'),
    url: textOf(record, 'url') ?? textOf(record, 'loginUrl'),
    referrerUrl: textOf(record, 'referrerUrl'),
    appType: textOf(record, 'appType') ?? (event.object === 'APP' ? textOf(record, 'type') : undefined),
    action: textOf(record, 'response') ?? textOf(record, 'mode') ?? textOf(record, 'action') ?? changed?.type,
    succeeded,
  }
}

function severityOf(event: WebhookEvent, record: Facts): EventSeverity {
  if (event.category === 'DETECTION')
    return (textOf(record, 'severity') as EventSeverity | undefined) ?? 'MEDIUM'
  if (event.object === 'FINDING') {
    const open = event.new !== null && record.state === 'OPEN'
    return open ? findingSeverity(String(record.type)) : 'INFORMATIONAL'
  }
  return severities[event.object] ?? 'INFORMATIONAL'
}

/** The employee in whose browser something was seen. */
function seer(event: WebhookEvent, record: Facts): Person | undefined {
  if (event.category === 'CONTROL' || event.category === 'DETECTION') {
    const employee = partOf(record, 'employee')
    return employee && personOf(employee)
  }
  if (event.object !== 'LOGIN') return undefined
  return { id: textOf(record, 'employeeId'), email: textOf(record, 'email') }
}

function personOf(employee: Facts): Person {
  const name = [textOf(employee, 'firstName'), textOf(employee, 'lastName')].filter(Boolean).join(' ')
  return { id: textOf(employee, 'id'), email: textOf(employee, 'email'), name: name || undefined }
}

function actorOf(actor: Facts): Person {
  const user = textOf(actor, 'user')
  return {
    id: textOf(actor, 'id'),
    email: textOf(actor, 'email') ?? textOf(actor, 'apiKeyCreatedBy'),
    name: user ?? textOf(actor, 'apiKeyName'),
  }
}

function targetOf(event: WebhookEvent, record: Facts): Person | undefined {
  if (event.object === 'EMPLOYEE') return personOf(record)
  const employee = event.object === 'FINDING' ? partOf(record, 'employee') : undefined
  if (employee) return personOf(employee)
  const target = {
    id:
      textOf(record, 'employeeId') ?? (event.object.startsWith('ADMIN_') ? textOf(record, 'id') : undefined),
    email:
      textOf(record, 'employeeEmail') ??
      textOf(record, 'accountEmail') ??
      textOf(record, 'newEmail') ??
      textOf(record, 'email'),
  }
  return target.id === undefined && target.email === undefined ? undefined : target
}

function recordIdOf(event: WebhookEvent, record: Facts): string | undefined {
  const names =
    event.category === 'AUDIT' ? ['id', 'accountId', 'detectionId', 'appId', 'employeeId'] : ['id']
  return names.map((name) => textOf(record, name)).find((id) => id !== undefined)
}

function outcomeOf(object: EventObject): boolean | undefined {
  if (object === 'ADMIN_SIGN_IN_FAILED') return false
  return object === 'LOGIN' || object === 'ADMIN_SIGNED_IN' ? true : undefined
}
