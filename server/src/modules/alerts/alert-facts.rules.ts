import type { AlertDestination, AlertTrigger } from '@muster/contract/console/alerts/alert-kinds'
import type { AlertRule, OptionalRuleMember } from '@muster/contract/console/alerts/alert-rule'
import type { EventObject } from '@muster/contract/events/event-objects'
import { type Detection, detectionTypes } from '@muster/contract/records/detection'
import type { Finding } from '@muster/contract/records/finding'
import type { Priority } from '@muster/contract/risk/risk-levels'

/** An event that rules are matched with, or a silent browser in the form of one. */
export interface AlertEvent {
  readonly id: string
  readonly object: EventObject
  readonly timestamp: number
  readonly type: 'CREATE' | 'UPDATE' | 'DELETE'
  /** Sentence about it. */
  readonly description: string
  readonly new: Readonly<Record<string, unknown>> | null
  readonly old: Readonly<Record<string, unknown>> | null
}

/** Conditions, schedule and receivers of a rule, as stored. */
export type RuleDefinition = Pick<AlertRule, 'triggers' | OptionalRuleMember> & {
  readonly destination: AlertDestination
}

/** Facts that are not in the event. */
export interface EventContext {
  /** Groups of the employee it is about. */
  readonly groups: readonly string[]
  /** Priority of the finding; null if there is none. */
  readonly priority: Priority | null
}

/** Returns the facts of an event that are not in it. */
export type ContextOf = (event: AlertEvent) => EventContext

const triggerOf: Readonly<Partial<Record<EventObject, AlertTrigger>>> = {
  ...Object.fromEntries(detectionTypes.map((type) => [type, 'DETECTION'])),
  FINDING: 'FINDING',
  APP: 'NEW_APP',
  APP_OTHER: 'NEW_UNRECOGNIZED_APP',
  BROWSER: 'SILENT_AGENT',
}

/** Returns the kind of an event. @throws Error for an event that is never routed */
export function triggerOfEvent({ object }: Pick<AlertEvent, 'object'>): AlertTrigger {
  const trigger = triggerOf[object]
  if (!trigger) throw new Error(`no rule is about ${object}`)
  return trigger
}

/** Objects of the events that rules with these triggers need. Silent agents are found by a query. */
export const objectsOf = (triggers: readonly AlertTrigger[]): EventObject[] =>
  (Object.keys(triggerOf) as EventObject[]).filter((object) => {
    const trigger = triggerOf[object]
    return object !== 'BROWSER' && trigger !== undefined && triggers.includes(trigger)
  })

/** Returns the employee that an event is about; null if it is about none. */
export function employeeIdOf({ new: now }: AlertEvent): string | null {
  const id = now?.employeeId
  return typeof id === 'string' ? id : null
}

/** Returns the record of an event about a detection. */
export const detectionOf = ({ new: now }: AlertEvent): Detection => now as unknown as Detection

/** Returns the record of an event about a finding. */
export const findingOf = ({ new: now }: AlertEvent): Finding => now as unknown as Finding

/** Parses a stored event. */
export const parseEvent = (body: string): AlertEvent => JSON.parse(body) as AlertEvent
