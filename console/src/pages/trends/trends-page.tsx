import '../../styles/charts.css'
import '../../styles/trends.css'
import { type TrendPeriod, type Trends, trendPeriods } from '@muster/contract/console/trends/console-trends'
import { trendHeadlines } from '@muster/contract/console/trends/report-figures'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { callConsole } from '../../data/call.ts'
import { LoadFailure } from '../../ui/page/load-failure.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { PeriodSelect, usePeriod } from '../../ui/page/period-select.tsx'
import { nowSeconds, utcDayText } from '../../ui/text/moment-text.ts'
import { FigureGrid } from './figure-value.tsx'
import { ReportMail } from './report-mail.tsx'
import { reportPeriods } from './report-periods.ts'
import { TrendCards } from './trend-cards.tsx'

/** Page of the figures over 90 days and a year. */
export function TrendsPage() {
  const period = usePeriod(trendPeriods, 'LAST_90_DAYS')
  const { data, error } = useQuery({
    queryKey: ['trends', period],
    queryFn: () => callConsole('readTrends', { id: period }),
  })
  const [month, quarter] = reportPeriods(nowSeconds()).past
  return (
    <Page wide>
      <PageHead title="Trends">
        <Link className="button" to="/reports/$id" params={{ id: month }}>
          Monthly report
        </Link>
        <Link className="button" to="/reports/$id" params={{ id: quarter }}>
          Quarterly report
        </Link>
        <PeriodSelect periods={trendPeriods} period={period} />
      </PageHead>
      {error && !data && <LoadFailure error={error} />}
      {data && <Figures trends={data} period={period} />}
    </Page>
  )
}

function Figures({ trends, period }: { trends: Trends; period: TrendPeriod }) {
  const weeks = trends.weekTimestamps.length
  return (
    <>
      <FigureGrid figures={trendHeadlines(trends)} />
      <p className="soft">
        Changes are against the {weeks} weeks before{period === 'LAST_YEAR' && ' (one year)'}. Open findings
        and percentages are current, compared with the first value of the period.{' '}
        {historyText(trends.levelsFromTimestamp)}
      </p>
      <TrendCards trends={trends} />
      <ReportMail />
    </>
  )
}

/** Returns since when figures are known that cannot be counted for the past. */
const historyText = (levelsFromTimestamp: number | null): string =>
  levelsFromTimestamp === null
    ? 'Their history starts tomorrow: they are counted once a day, after midnight (UTC).'
    : `Their history starts on ${utcDayText(levelsFromTimestamp)}, because they are counted once a day while Muster runs.`
