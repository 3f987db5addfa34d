import type { AgentEvent } from '@muster/contract/agent/agent-event'
import { type Browser, browsers } from '@muster/contract/records/browser'
import { type Employee, employees } from '@muster/contract/records/employee'
import { allSettledOrThrow } from '../../kernel/lib/all-settled.ts'
import { draftOf } from '../../kernel/store/record-drafts.ts'
import { getRecord, readRecordText, type Stored } from '../../kernel/store/records.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import type { OrgSettings } from '../agents/org-settings.ts'
import type { AdminDecisions } from './admin-decisions.ts'
import type { Batch } from './batch-context.ts'
import { projectBatch } from './project-batch.ts'
import { dropOneTimeCodeFacts } from './projection/login.rules.ts'

/** Sender of a batch, stored and locked. */
export interface BatchSender {
  readonly employee: Stored<Employee>
  readonly browser: Stored<Browser> | undefined
}

/**
 * Locks the sender of a batch. All transactions lock the employee first, then the browser, to avoid
 * deadlocks.
 */
export async function lockSender(
  tx: Tx,
  org: number,
  employeeId: string,
  browserId: string,
): Promise<BatchSender | undefined> {
  const [employee, browser] = await allSettledOrThrow([
    getRecord(tx, employees, org, employeeId),
    getRecord(tx, browsers, org, browserId),
  ])
  return employee && { employee, browser }
}

export interface ProjectionOptions {
  readonly settings: OrgSettings
  readonly publicUrl: string
  /** Decisions to restore during a replay. */
  readonly decisions?: AdminDecisions
}

/**
 * Projects a batch to the inventory; its events may be in any order. All records that it changes are locked
 * when this returns.
 *
 * @returns a function that writes the changes
 */
export async function project(
  tx: Tx,
  batch: Batch,
  { employee, browser }: BatchSender,
  { settings, publicUrl, decisions }: ProjectionOptions,
): Promise<() => Promise<void>> {
  return projectBatch({
    tx,
    batch: { ...batch, events: sortedByTime(batch.events).map(dropOneTimeCodeFacts) },
    nowSeconds: Math.floor(batch.receivedMs / 1000),
    settings,
    publicUrl,
    employee: draftOf(employee),
    primary: await primaryOf(tx, batch.org, employee.record),
    browser: browser && draftOf(browser),
    replayedDecisions: decisions,
  })
}

/** Sorts by time; events of the same second keep the order in which they were reported. */
const sortedByTime = (events: readonly AgentEvent[]): AgentEvent[] =>
  events.toSorted((one, other) => one.timestamp - other.timestamp)

async function primaryOf(tx: Tx, org: number, employee: Employee): Promise<Employee> {
  if (employee.mergedIntoId === null) return employee
  const primary = await readRecordText(tx, employees, org, employee.mergedIntoId)
  return primary === undefined ? employee : (JSON.parse(primary) as Employee)
}
