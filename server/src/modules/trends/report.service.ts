import type { Report } from '@muster/contract/console/trends/console-trends'
import { flowNames } from '@muster/contract/console/trends/daily-figures'
import { organizationOf } from '../../kernel/organizations/organizations.ts'
import type { Reader } from '../../kernel/store/sql.ts'
import { dayOfSeconds, daysIn } from './daily-figures.service.ts'
import { countFlows, daySeconds } from './flows.store.ts'
import { topApps, topDetections } from './report.store.ts'
import type { ReportPeriod } from './report-period.rules.ts'
import { lastLevels, sumFlows } from './trend-sums.rules.ts'
import { levelList } from './trends.service.ts'

/**
 * Reads the report about a period that has begun. While it is not over, as many days of the period before are compared.
 */
export async function readReport(
  db: Reader,
  org: number,
  { id, from, to: end, previousFrom }: ReportPeriod,
  nowSeconds: number,
): Promise<Report> {
  const to = Math.max(from, Math.min(end, dayOfSeconds(nowSeconds)))
  const previousTo = to === end ? from : Math.min(from, previousFrom + (to - from))
  const days = await daysIn(db, org, { from: previousFrom, to })
  const within = days.filter(({ day }) => day >= from)
  const previous = days.filter(({ day }) => day < previousTo)
  const [flows, before] = [within, previous].map((some) => sumFlows(some.map((day) => day.flows)))
  const listed = sumFlows([...(await countFlows(db, org, { from, to })).values()])
  const levels = lastLevels(within)
  const levelsBefore = lastLevels(previous)
  const period = { from: from * daySeconds, to: to * daySeconds }
  return {
    id,
    organization: (await organizationOf(db, org))?.name ?? '',
    asOfTimestamp: nowSeconds,
    fromTimestamp: period.from,
    toTimestamp: period.to,
    endTimestamp: end * daySeconds,
    previousFromTimestamp: previousFrom * daySeconds,
    previousToTimestamp: previousTo * daySeconds,
    flows: flowNames.map((name) => ({
      name,
      count: flows?.[name] ?? 0,
      listed: listed[name],
      before: before?.[name] ?? 0,
    })),
    resolveSeconds: flows?.resolveSeconds ?? 0,
    resolveSecondsBefore: before?.resolveSeconds ?? 0,
    levels: levels && levelList(levels),
    levelsBefore: levelsBefore && levelList(levelsBefore),
    apps: await topApps(db, org),
    detections: await topDetections(db, org, period),
  }
}
