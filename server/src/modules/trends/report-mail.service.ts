import type { Report } from '@muster/contract/console/trends/console-trends'
import type { Db } from '../../kernel/store/sql.ts'
import { type NewNotice, queueNotices } from '../notices/notices.service.ts'
import { dayOfSeconds } from './daily-figures.service.ts'
import { readReport } from './report.service.ts'
import { subscribersWithoutMail } from './report-mail.store.ts'
import { monthBefore, parseReportPeriod } from './report-period.rules.ts'

/** Data of the message with a report. All recipients get the same figures, also if it is sent again later. */
export interface ReportFacts {
  readonly report: Report
}

/**
 * Queues the report about the last month for each administrator who wants it, once per month and address. Several processes
 * may run it at the same time.
 *
 * @returns the number of new messages
 */
export async function queueMonthlyReports(db: Db, org: number, nowMs: number): Promise<number> {
  const nowSeconds = Math.floor(nowMs / 1000)
  const month = monthBefore(dayOfSeconds(nowSeconds))
  const period = parseReportPeriod(month)
  const addresses = await subscribersWithoutMail(db, org, month)
  if (addresses.length === 0 || !period) return 0
  const facts: ReportFacts = { report: await readReport(db.slow, org, period, nowSeconds) }
  const notices = addresses.map(
    (address): NewNotice => ({ org, kind: 'MONTHLY_REPORT', subject: month, address, facts }),
  )
  return db.inTransaction((tx) => queueNotices(tx, notices, nowMs))
}
