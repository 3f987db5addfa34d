import { forgetReportedExtensions } from '../extensions/inventory.ts'
import { forgetReportedVisits } from '../logins/visits.ts'
import { clearOutbox } from './outbox-store.ts'

/**
 * Discards queued events, for a browser that may not report any more. State that is reported only on change or once a
 * day may be among them, so it is reported again when the browser may report again.
 */
export async function forgetReports(): Promise<void> {
  await clearOutbox()
  await forgetReportedExtensions()
  await forgetReportedVisits()
}
