import type { AgentEvent } from '@muster/contract/agent-event'
import type { Browser } from '@muster/contract/browser'
import type { Employee } from '@muster/contract/employee'
import { derivedId } from '../../kernel/lib/secrets/derived-id.ts'
import type { Draft } from '../../kernel/store/record-drafts.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import type { OrgTerms } from '../agents/org-terms.ts'
import type { KeptDecisions } from './kept-decisions.ts'

/** The events of a batch that are new, as they were accepted. */
export interface Batch {
  readonly org: number
  readonly browserId: string
  /** The employee it is observed with. */
  readonly employeeId: string
  readonly receivedMs: number
  readonly address: string | null
  readonly userAgent: string | null
  /** At least one, in the order of their times. */
  readonly events: readonly AgentEvent[]
}

/** What the projection of a batch works with. */
export interface BatchContext {
  readonly tx: Tx
  readonly batch: Batch
  /** The second of receipt. */
  readonly nowSeconds: number
  readonly terms: OrgTerms
  readonly publicUrl: string
  /** The employee it is observed with, to be changed. */
  readonly employee: Draft<Employee>
  /** The employee it is shown under: the primary, where the observed one is merged. */
  readonly shown: Employee
  /** To be changed; undefined when it is gone by now, which happens when old events are replayed. */
  readonly browser: Draft<Browser> | undefined
  /** What administrators have decided about what is made anew; undefined unless old events are replayed. */
  readonly replayed: KeptDecisions | undefined
}

/** What is kept of whom a record was observed with: nothing, if that is who is shown. */
export const ownerIn = ({ batch, shown }: BatchContext): string | null =>
  batch.employeeId === shown.id ? null : batch.employeeId

/** The kinds of records that events create, as their ids tell them apart. */
export type MadeKind =
  | 'account'
  | 'accountOther'
  | 'app'
  | 'appOther'
  | 'browserExtension'
  | 'detection'
  | 'finding'

/**
 * What the id of what an event creates is made of.
 *
 * @param kind the kind of record
 * @param key which one, where an event creates several
 */
export const idParts = (
  { org, browserId }: Pick<Batch, 'org' | 'browserId'>,
  event: { id: string },
  kind: MadeKind,
  key: string,
): (string | number)[] => [org, browserId, event.id, kind, key]

/** The id of what an event creates: the same whenever the event is replayed. */
export const idFrom = ({ batch }: BatchContext, event: { id: string }, kind: MadeKind, key: string): string =>
  derivedId(batch.receivedMs, idParts(batch, event, kind, key))

/** The event that stands for the whole batch, where something follows from several of them. */
export const firstEvent = ({ batch }: BatchContext): AgentEvent => {
  const [first] = batch.events
  if (first === undefined) throw new Error('a batch without events has nothing to project')
  return first
}

/** The events of a kind, in the order of their times. */
export const eventsOf = <K extends AgentEvent['kind']>(
  { batch }: BatchContext,
  kind: K,
): Extract<AgentEvent, { kind: K }>[] =>
  batch.events.filter((event): event is Extract<AgentEvent, { kind: K }> => event.kind === kind)
