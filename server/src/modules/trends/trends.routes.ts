import { notFound } from '@muster/contract/api/errors'
import {
  type TrendPeriod,
  type trendOperations,
  trendPeriods,
} from '@muster/contract/console/trends/console-trends'
import { unixSeconds } from '../../kernel/lib/clock.ts'
import { refreshedCache } from '../../kernel/lib/refreshed-cache.ts'
import type { ConsoleHandlers } from '../console/console-bind.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import type { FoundSession } from '../console/console-sessions.ts'
import { daySeconds } from './flows.store.ts'
import { readReport } from './report.service.ts'
import { isSubscribed, type Subscriber, setSubscribed } from './report-mail.store.ts'
import { parseReportPeriod } from './report-period.rules.ts'
import { readTrends } from './trends.service.ts'

const subscriberOf = ({ administrator }: FoundSession): Subscriber => ({
  org: administrator.org,
  administratorId: administrator.id,
})

/** Handlers of the page about trends and of the report. Trends are computed at most once a minute per organization. */
export function trendHandlers({
  db,
  clock,
  log,
}: ConsoleParts): ConsoleHandlers<keyof typeof trendOperations> {
  const trends = refreshedCache({
    compute: (key) => {
      const [org, period] = key.split(' ')
      return readTrends(db.slow, Number(org), period as TrendPeriod, unixSeconds(clock))
    },
    nowMs: () => clock.monotonicMs(),
    freshMs: 60_000,
    staleMs: 60 * 60_000,
    onError: (error) => log.warn({ err: error }, 'cannot refresh the trends of the console'),
  })
  return {
    readTrends: async ({ caller }, _body, period) => {
      if (!(trendPeriods as readonly string[]).includes(period)) throw notFound()
      return trends.get(`${caller.administrator.org} ${period}`)
    },
    readReportMail: async ({ caller }) => ({ subscribed: await isSubscribed(db, subscriberOf(caller)) }),
    changeReportMail: async ({ caller }, { subscribed }) => {
      await db.inTransaction((tx) => setSubscribed(tx, subscriberOf(caller), subscribed))
      return { subscribed }
    },
    readReport: async ({ caller }, _body, id) => {
      const period = parseReportPeriod(id)
      if (!period || period.from * daySeconds > unixSeconds(clock)) throw notFound()
      return readReport(db.slow, caller.administrator.org, period, unixSeconds(clock))
    },
  }
}
