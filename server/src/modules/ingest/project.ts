import type { AgentEvent } from '@muster/contract/agent-event'
import { type Browser, browsers } from '@muster/contract/browser'
import { type Employee, employees } from '@muster/contract/employee'
import { allSettledOrThrow } from '../../kernel/lib/all-settled.ts'
import { draftOf } from '../../kernel/store/drafts.ts'
import { getRecord, readRecordText, type Stored } from '../../kernel/store/records.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import type { OrgTerms } from '../agents/org-terms.ts'
import { projectBatch } from './batch.ts'
import type { Batch } from './batch-context.ts'
import type { KeptDecisions } from './kept-decisions.ts'
import { withoutCodeFacts } from './projection/login.rules.ts'

/** Whom a batch is from, as stored and locked: the employee first, then the browser. */
export interface BatchPeople {
  readonly employee: Stored<Employee>
  readonly browser: Stored<Browser> | undefined
}

/** Locks whom a batch is from. Every transaction that needs both takes them in this order. */
export async function lockPeople(
  tx: Tx,
  org: number,
  employeeId: string,
  browserId: string,
): Promise<BatchPeople | undefined> {
  const [employee, browser] = await allSettledOrThrow([
    getRecord(tx, employees, org, employeeId),
    getRecord(tx, browsers, org, browserId),
  ])
  return employee && { employee, browser }
}

/** What a projection has to be told besides the batch. */
export interface ProjectionTerms {
  readonly terms: OrgTerms
  readonly publicUrl: string
  /** Set when old events are replayed. */
  readonly kept?: KeptDecisions
}

/**
 * Decides what a batch does to the inventory; its events may be in any order. All that it changes is locked when this
 * returns.
 *
 * @returns writes it
 */
export async function project(
  tx: Tx,
  batch: Batch,
  { employee, browser }: BatchPeople,
  { terms, publicUrl, kept }: ProjectionTerms,
): Promise<() => Promise<void>> {
  return projectBatch({
    tx,
    batch: { ...batch, events: inOrder(batch.events).map(withoutCodeFacts) },
    nowSeconds: Math.floor(batch.receivedMs / 1000),
    terms,
    publicUrl,
    employee: draftOf(employee),
    shown: await shownFor(tx, batch.org, employee.record),
    browser: browser && draftOf(browser),
    replayed: kept,
  })
}

/** By their times; those of one second in the order in which they were reported. */
const inOrder = (events: readonly AgentEvent[]): AgentEvent[] =>
  events.toSorted((one, other) => one.timestamp - other.timestamp)

async function shownFor(tx: Tx, org: number, employee: Employee): Promise<Employee> {
  if (employee.mergedIntoId === null) return employee
  const primary = await readRecordText(tx, employees, org, employee.mergedIntoId)
  return primary === undefined ? employee : (JSON.parse(primary) as Employee)
}
