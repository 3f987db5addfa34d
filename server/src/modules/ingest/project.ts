import type { AgentEvent } from '@muster/contract/agent/agent-event'
import { type Browser, browsers } from '@muster/contract/records/browser'
import { type Employee, employees } from '@muster/contract/records/employee'
import { allSettledOrThrow } from '../../kernel/lib/all-settled.ts'
import { yieldToEventLoop } from '../../kernel/lib/process/yield-to-event-loop.ts'
import { draftOf, writeDrafts } from '../../kernel/store/record-drafts.ts'
import { getRecord, readRecordText, type Stored } from '../../kernel/store/records.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import type { OrgSettings } from '../agents/org-settings.ts'
import type { AdminDecisions } from './admin-decisions.ts'
import type { Batch, BatchContext } from './batch-context.ts'
import { findAppPlaces } from './projection/app-places.ts'
import { projectBrowser } from './projection/browser-projection.ts'
import { projectDetections } from './projection/detection-projection.ts'
import { emitActivity } from './projection/emit-activity.ts'
import { dropOneTimeCodeFacts } from './projection/login.rules.ts'
import { projectLogins } from './projection/login-projection.ts'

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
  const nowSeconds = Math.floor(batch.receivedMs / 1000)
  const context: BatchContext = {
    tx,
    batch: { ...batch, events: sortedByTime(batch.events).map(dropOneTimeCodeFacts) },
    nowSeconds,
    settings,
    publicUrl,
    employee: draftOf(employee),
    primary: await primaryOf(tx, batch.org, employee.record),
    browser: browser && draftOf(browser),
    replayedDecisions: decisions,
  }
  const writeBrowser = await projectBrowser(context)
  const places = await findAppPlaces(context)
  await yieldToEventLoop()
  const logins = await projectLogins(context, places)
  await yieldToEventLoop()
  const projectedDetections = await projectDetections(context, places, logins.accounts)
  return async () => {
    await allSettledOrThrow([
      writeBrowser(),
      places.write(),
      writeDrafts(tx, employees, batch.org, [context.employee], nowSeconds),
      projectedDetections.write(),
      emitActivity(context, logins.accounts, projectedDetections.added),
      yieldToEventLoop().then(logins.write),
    ])
  }
}

/** Sorts by time; events of the same second keep the order in which they were reported. */
const sortedByTime = (events: readonly AgentEvent[]): AgentEvent[] =>
  events.toSorted((one, other) => one.timestamp - other.timestamp)

async function primaryOf(tx: Tx, org: number, employee: Employee): Promise<Employee> {
  if (employee.mergedIntoId === null) return employee
  const primary = await readRecordText(tx, employees, org, employee.mergedIntoId)
  return primary === undefined ? employee : (JSON.parse(primary) as Employee)
}
