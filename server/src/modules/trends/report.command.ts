import { CommandFailure, defineCommand } from '../../kernel/cli/command.ts'
import { organizationNamed, orgOption, withStore } from '../../kernel/cli/with-store.ts'
import { systemClock, unixSeconds } from '../../kernel/lib/clock.ts'
import { renderMessage } from '../notices/notice-layout.ts'
import { dayOfSeconds } from './daily-figures.service.ts'
import { daySeconds } from './flows.store.ts'
import { readReport } from './report.service.ts'
import { reportMessage } from './report-message.ts'
import { monthBefore, parseReportPeriod } from './report-period.rules.ts'

/** `muster report` */
export const reportCommand = defineCommand({
  name: 'report',
  summary: 'Print the report about a month or a quarter',
  needsStore: true,
  json: true,
  settings: ['publicUrl'],
  options: {
    month: { type: 'text', help: 'a month (default: the last one)', placeholder: 'YYYY-MM' },
    quarter: { type: 'text', help: 'a quarter instead of a month', placeholder: 'YYYY-QN' },
    html: { type: 'flag', help: 'as an HTML page, like the monthly mail' },
    org: orgOption,
  },
  details: `Days are in UTC. A period that is not over ends yesterday.

Examples:
  muster report --month 2026-10
  muster report --quarter 2026-Q3 --html > report.html
  muster report --month 2026-10 --json`,
  async run(context, { options }) {
    const { month, quarter, html, org } = options
    if (month !== undefined && quarter !== undefined)
      throw new CommandFailure('Give either --month or --quarter.')
    if (html && context.json) throw new CommandFailure('Give either --html or --json.')
    const nowSeconds = unixSeconds(systemClock)
    const id = quarter ?? month ?? monthBefore(dayOfSeconds(nowSeconds))
    const period = parseReportPeriod(id)
    const isExpectedKind = id.includes('Q') === (quarter !== undefined)
    if (!period || !isExpectedKind)
      throw new CommandFailure(
        quarter === undefined
          ? `--month ${id} is not a month. Write it like 2026-10.`
          : `--quarter ${id} is not a quarter. Write it like 2026-Q4.`,
      )
    if (period.from * daySeconds > nowSeconds)
      throw new CommandFailure(`${id} has not begun yet. Choose an earlier one.`)
    const config = context.config()
    const report = await withStore(
      config,
      async (db) => readReport(db.slow, (await organizationNamed(db, org)).no, period, nowSeconds),
      { noTimeout: true },
    )
    if (context.json) return context.printJson(report)
    const message = renderMessage(reportMessage(report, config.publicUrl))
    context.print(html ? message.html : `${message.subject}\n\n${message.text}`)
  },
})
