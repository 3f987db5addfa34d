import type { AgentEvent } from '@muster/contract/agent/agent-event'
import type { Browser } from '@muster/contract/records/browser'
import type { Employee } from '@muster/contract/records/employee'
import { derivedId } from '../../kernel/lib/secrets/derived-id.ts'
import type { Draft } from '../../kernel/store/record-drafts.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import type { OrgSettings } from '../agents/org-settings.ts'
import type { AdminDecisions } from './admin-decisions.ts'

/** New events of a batch, as accepted. */
export interface Batch {
  readonly org: number
  readonly browserId: string
  /** Employee of the browser's credential. */
  readonly employeeId: string
  readonly receivedMs: number
  readonly address: string | null
  readonly userAgent: string | null
  /** At least one, sorted by time. */
  readonly events: readonly AgentEvent[]
}

/** Input of the projection of a batch. */
export interface BatchContext {
  readonly tx: Tx
  readonly batch: Batch
  /** Time of receipt. */
  readonly nowSeconds: number
  readonly settings: OrgSettings
  readonly publicUrl: string
  /** Employee of the browser's credential, for changes. */
  readonly employee: Draft<Employee>
  /** Employee that the records name: the primary of a merged employee, else the employee itself. */
  readonly primary: Employee
  /** Browser, for changes. Undefined if it was removed since, which happens in a replay. */
  readonly browser: Draft<Browser> | undefined
  /** Decisions of administrators to restore on recreated records; set during a replay. */
  readonly replayedDecisions: AdminDecisions | undefined
}

/** Returns the observed employee to store with a record; null if the record names the same employee. */
export const ownerIn = ({ batch, primary }: BatchContext): string | null =>
  batch.employeeId === primary.id ? null : batch.employeeId

/** Kinds of records that events create; part of their derived IDs. */
export type DerivedKind =
  | 'account'
  | 'accountOther'
  | 'app'
  | 'appOther'
  | 'browserExtension'
  | 'detection'
  | 'finding'

/**
 * Returns the parts from which the ID of a record is derived that an event creates.
 *
 * @param key distinguishes records of the same kind
 */
export const derivedIdParts = (
  { org, browserId }: Pick<Batch, 'org' | 'browserId'>,
  event: { id: string },
  kind: DerivedKind,
  key: string,
): (string | number)[] => [org, browserId, event.id, kind, key]

/** Returns the ID of a record that an event creates. A replay of the event derives the same ID. */
export const derivedIdFor = (
  { batch }: BatchContext,
  event: { id: string },
  kind: DerivedKind,
  key: string,
): string => derivedId(batch.receivedMs, derivedIdParts(batch, event, kind, key))

/** Returns the event from which IDs are derived when several events of the batch are the cause. */
export const firstEvent = ({ batch }: BatchContext): AgentEvent => {
  const [first] = batch.events
  if (first === undefined) throw new Error('a batch without events has nothing to project')
  return first
}

/** Returns the events of a kind, sorted by time. */
export const eventsOf = <K extends AgentEvent['kind']>(
  { batch }: BatchContext,
  kind: K,
): Extract<AgentEvent, { kind: K }>[] =>
  batch.events.filter((event): event is Extract<AgentEvent, { kind: K }> => event.kind === kind)
