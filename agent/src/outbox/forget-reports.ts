import { forgetReportedExtensions } from '../extensions/inventory.ts'
import { forgetReportedVisits } from '../logins/visits.ts'
import { emptyTheOutbox } from './outbox-store.ts'

/**
 * Forgets what waits to be reported, as a browser must that may not report any more. What is told only when it changes,
 * or once a day, may be among that: it is told again once the browser may.
 */
export async function forgetReports(): Promise<void> {
  await emptyTheOutbox()
  await forgetReportedExtensions()
  await forgetReportedVisits()
}
