import { employees } from '@muster/contract/employee'
import { allSettledOrThrow } from '../../kernel/lib/all-settled.ts'
import { yieldToEventLoop } from '../../kernel/lib/process/yield-to-event-loop.ts'
import { writeDrafts } from '../../kernel/store/drafts.ts'
import type { BatchContext } from './batch-context.ts'
import { findAppPlaces } from './projection/app-places.ts'
import { projectBrowser } from './projection/browser-projection.ts'
import { projectDetections } from './projection/detection-projection.ts'
import { projectLogins } from './projection/login-projection.ts'
import { tellSeen } from './projection/tell-seen.ts'

/**
 * Decides what a batch does to the inventory. All that it changes is locked when this returns, and nothing is written
 * yet.
 *
 * @returns writes it
 */
export async function projectBatch(context: BatchContext): Promise<() => Promise<void>> {
  const { tx, batch, employee, nowSeconds } = context
  const writeBrowser = await projectBrowser(context)
  const places = await findAppPlaces(context)
  await yieldToEventLoop()
  const logins = await projectLogins(context, places)
  await yieldToEventLoop()
  const attacks = await projectDetections(context, places, logins.accounts)
  return async () => {
    await allSettledOrThrow([
      writeBrowser(),
      places.write(),
      writeDrafts(tx, employees, batch.org, [employee], nowSeconds),
      attacks.write(),
      tellSeen(context, logins.accounts, attacks.added),
      yieldToEventLoop().then(logins.write),
    ])
  }
}
