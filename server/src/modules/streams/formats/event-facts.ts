import type { EventObject, WebhookEvent } from '@muster/contract/events/event-objects'
import { findingSeverity } from '../../findings/types/finding-types.ts'

/**
 * Format-independent properties of an event: severity, actor, target, source. All formats use them, which keeps the
 * formats consistent.
 */

const eventSeverities = ['INFORMATIONAL', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const
export type EventSeverity = (typeof eventSeverities)[number]

/** A JSON object of unknown shape: a record or a part of one. */
export type JsonObject = Readonly<Record<string, unknown>>

/** A user; at least one of the members is set. */
export interface Person {
  readonly id?: string | undefined
  readonly email?: string | undefined
  readonly name?: string | undefined
}

export interface EventFacts {
  readonly severity: EventSeverity
  /** The record after the change, or before its removal. */
  readonly record: JsonObject
  readonly recordId: string | undefined
  /** The employee in whose browser it happened, or the author of an audited change. */
  readonly source: Person | undefined
  /** Source of an audited change (`UI`, `API`, …). */
  readonly sourceKind: string | undefined
  /** The person that the record belongs to, if not the source. */
  readonly target: Person | undefined
  readonly sourceIpAddress: string | undefined
  readonly userAgent: string | undefined
  readonly url: string | undefined
  readonly referrerUrl: string | undefined
  readonly appType: string | undefined
  /** Change of the record, or action of a control. */
  readonly action: string | undefined
  /** Result of a sign-in; undefined for other events. */
  readonly succeeded: boolean | undefined
}

/** Severities of objects that are not informational. Detections have their own severity. */
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

/** Returns a member if it is a non-empty string. */
export function textOf(facts: JsonObject | undefined, name: string): string | undefined {
  const value = facts?.[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Returns a member if it is an object. */
export function partOf(facts: JsonObject, name: string): JsonObject | undefined {
  const value = facts[name]
  return typeof value === 'object' && value !== null ? (value as JsonObject) : undefined
}

/** Extracts the format-independent properties of an event. */
export function factsOf(event: WebhookEvent): EventFacts {
  const changed = 'type' in event ? event : undefined
  const record = (event.new ?? changed?.old ?? {}) as JsonObject
  const actor = 'actor' in event ? (event.actor as JsonObject | null) : null
  const employee = observedEmployee(event, record)
  const connection = actor ?? record
  const succeeded = outcomeOf(event.object)
  return {
    severity: severityOf(event, record),
    record,
    recordId: recordIdOf(event, record),
    source: actor === null ? employee : actorOf(actor),
    sourceKind: textOf(actor ?? undefined, 'source'),
    target: employee === undefined && succeeded !== true ? targetOf(event, record) : undefined,
    sourceIpAddress: textOf(connection, 'sourceIpAddress') ?? textOf(record, 'sourceIpAddress'),
    userAgent: textOf(connection, 'userAgent'),
    url: textOf(record, 'url') ?? textOf(record, 'loginUrl'),
    referrerUrl: textOf(record, 'referrerUrl'),
    appType: textOf(record, 'appType') ?? (event.object === 'APP' ? textOf(record, 'type') : undefined),
    action: textOf(record, 'response') ?? textOf(record, 'mode') ?? textOf(record, 'action') ?? changed?.type,
    succeeded,
  }
}

function severityOf(event: WebhookEvent, record: JsonObject): EventSeverity {
  if (event.category === 'DETECTION')
    return (textOf(record, 'severity') as EventSeverity | undefined) ?? 'MEDIUM'
  if (event.object === 'FINDING') {
    const open = event.new !== null && record.state === 'OPEN'
    return open ? findingSeverity(String(record.type)) : 'INFORMATIONAL'
  }
  return severities[event.object] ?? 'INFORMATIONAL'
}

/** Returns the employee in whose browser the event was observed. */
function observedEmployee(event: WebhookEvent, record: JsonObject): Person | undefined {
  if (event.category === 'CONTROL' || event.category === 'DETECTION') {
    const employee = partOf(record, 'employee')
    return employee && personOf(employee)
  }
  if (event.object !== 'LOGIN') return undefined
  return { id: textOf(record, 'employeeId'), email: textOf(record, 'email') }
}

function personOf(employee: JsonObject): Person {
  const name = [textOf(employee, 'firstName'), textOf(employee, 'lastName')].filter(Boolean).join(' ')
  return { id: textOf(employee, 'id'), email: textOf(employee, 'email'), name: name || undefined }
}

function actorOf(actor: JsonObject): Person {
  const user = textOf(actor, 'user')
  return {
    id: textOf(actor, 'id'),
    email: textOf(actor, 'email') ?? textOf(actor, 'apiKeyCreatedBy'),
    name: user ?? textOf(actor, 'apiKeyName'),
  }
}

function targetOf(event: WebhookEvent, record: JsonObject): Person | undefined {
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

function recordIdOf(event: WebhookEvent, record: JsonObject): string | undefined {
  const names =
    event.category === 'AUDIT' ? ['id', 'accountId', 'detectionId', 'appId', 'employeeId'] : ['id']
  return names.map((name) => textOf(record, name)).find((id) => id !== undefined)
}

function outcomeOf(object: EventObject): boolean | undefined {
  if (object === 'ADMIN_SIGN_IN_FAILED') return false
  return object === 'LOGIN' || object === 'ADMIN_SIGNED_IN' ? true : undefined
}
