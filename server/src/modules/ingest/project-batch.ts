import { employees } from '@muster/contract/records/employee'
import { allSettledOrThrow } from '../../kernel/lib/all-settled.ts'
import { yieldToEventLoop } from '../../kernel/lib/process/yield-to-event-loop.ts'
import { writeDrafts } from '../../kernel/store/record-drafts.ts'
import type { BatchContext } from './batch-context.ts'
import { findAppPlaces } from './projection/app-places.ts'
import { projectBrowser } from './projection/browser-projection.ts'
import { projectDetections } from './projection/detection-projection.ts'
import { emitActivity } from './projection/emit-activity.ts'
import { projectLogins } from './projection/login-projection.ts'

/**
 * Projects a batch to the inventory. All records that it changes are locked when this returns, but nothing is
 * written.
 *
 * @returns a function that writes the changes
 */
export async function projectBatch(context: BatchContext): Promise<() => Promise<void>> {
  const { tx, batch, employee, nowSeconds } = context
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
      writeDrafts(tx, employees, batch.org, [employee], nowSeconds),
      projectedDetections.write(),
      emitActivity(context, logins.accounts, projectedDetections.added),
      yieldToEventLoop().then(logins.write),
    ])
  }
}
