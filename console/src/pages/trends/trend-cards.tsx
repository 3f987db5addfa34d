import { consoleLoginMethods } from '@muster/contract/console/login-methods'
import type { Trends } from '@muster/contract/console/trends/console-trends'
import { openTotal, type ShareName } from '@muster/contract/console/trends/daily-figures'
import { figureText, shareLabels } from '@muster/contract/console/trends/report-figures'
import { levelNow } from '@muster/contract/console/trends/trend-links'
import { detectionTypes } from '@muster/contract/records/detection'
import { findingTypes } from '@muster/contract/records/finding'
import type { FindingType } from '@muster/contract/records/finding-words'
import { type ReactNode, useState } from 'react'
import { Card } from '../../ui/page/card.tsx'
import { labelOf } from '../../ui/text/labels.ts'
import { weekText } from '../../ui/text/moment-text.ts'
import { BarLine } from '../overview/bar-line.tsx'
import type { ChartSeries } from '../overview/chart-scale.ts'
import { WeekChart } from '../overview/week-chart.tsx'
import { flowSeries, levelSeries, resolveSeries, shareSeries } from './trend-series.ts'

const percent = (value: number): string => figureText(value, 'PERCENT')
const days = (value: number): string => figureText(value, 'DAYS')
const detectionTones = ['critical', 'high', 'medium', 'low', 'two'] as const

/** Charts of all figures. */
export function TrendCards({ trends }: { trends: Trends }) {
  const chart = { trends }
  return (
    <div className="overview-grid">
      <FindingsCard trends={trends} />
      <Card title="Mean time to resolve" note="Days from opening to closing, by the week of closing">
        <TrendChart
          {...chart}
          caption="Mean time to resolve by week"
          series={[resolveSeries(trends)]}
          format={days}
        />
      </Card>
      <Card title="Detections by type">
        <TrendChart
          {...chart}
          caption="Detections by week and type"
          series={detectionTypes.map((type, at) =>
            flowSeries(trends, `detections.${type}`, labelOf(type), detectionTones[at] ?? 'one'),
          )}
        />
      </Card>
      <Card title="New apps" note="By the week in which they were first seen">
        <TrendChart
          {...chart}
          caption="New apps by week"
          series={[
            flowSeries(trends, 'apps', 'Catalog apps', 'one'),
            flowSeries(trends, 'appsOther', 'Unrecognized apps', 'two'),
          ]}
        />
      </Card>
      <ShareCard trends={trends} share="MFA" note="Of the accounts that we could check" />
      <ShareCard trends={trends} share="SSO" note="Of the accounts with a known sign-in method">
        <SignInMethods trends={trends} />
      </ShareCard>
      <ShareCard trends={trends} share="COVERAGE" />
    </div>
  )
}

function TrendChart({
  trends,
  ...chart
}: {
  trends: Trends
  caption: string
  series: readonly ChartSeries[]
  format?: (value: number) => string
  most?: number
}) {
  const weeks = trends.weekTimestamps
  const known = chart.series.some(({ values }) => values.some((value) => value !== null))
  if (!known) return <p className="soft">No values in this period yet.</p>
  return <WeekChart {...chart} weeks={weeks} last={weekText(weeks.at(-1) ?? 0)} />
}

function FindingsCard({ trends }: { trends: Trends }) {
  const [type, setType] = useState<FindingType | ''>('')
  const of = type === '' ? 'all types' : labelOf(type)
  return (
    <Card
      title="Findings"
      actions={
        <select
          className="input fit"
          aria-label="Type of findings in the charts"
          value={type}
          onChange={({ target }) => setType(target.value as FindingType | '')}
        >
          <option value="">All types</option>
          {findingTypes.map((one) => (
            <option key={one} value={one}>
              {labelOf(one)}
            </option>
          ))}
        </select>
      }
    >
      <div>
        <h3>Opened</h3>
        <TrendChart
          trends={trends}
          caption={`Findings opened by week, ${of}`}
          series={[flowSeries(trends, type === '' ? 'opened' : `opened.${type}`, 'Opened', 'high')]}
        />
      </div>
      <div>
        <h3>Closed</h3>
        <TrendChart
          trends={trends}
          caption={`Findings closed by week, ${of}`}
          series={[flowSeries(trends, type === '' ? 'closed' : `closed.${type}`, 'Closed', 'good')]}
        />
      </div>
      <div>
        <h3>Open at the end of the week</h3>
        <TrendChart
          trends={trends}
          caption={`Open findings by week, ${of}`}
          series={[
            levelSeries(trends, 'Open', 'one', (levels) =>
              type === '' ? openTotal(levels) : (levels[`open.${type}`] ?? null),
            ),
          ]}
        />
      </div>
    </Card>
  )
}

function ShareCard({
  trends,
  share,
  note,
  children,
}: {
  trends: Trends
  share: ShareName
  note?: string
  children?: ReactNode
}) {
  const title = shareLabels[share]
  return (
    <Card title={title} {...(note !== undefined && { note })}>
      <TrendChart
        trends={trends}
        caption={`${title} by week`}
        series={[shareSeries(trends, share, title)]}
        format={percent}
        most={100}
      />
      {children}
    </Card>
  )
}

function SignInMethods({ trends }: { trends: Trends }) {
  const most = Math.max(1, levelNow(trends, 'signIn.ANY').count)
  return (
    <div>
      <h3>Accounts by sign-in method now</h3>
      <ul>
        {consoleLoginMethods.map((method) => (
          <BarLine
            key={method}
            text={labelOf(method)}
            figure={levelNow(trends, `signIn.${method}`)}
            most={most}
          />
        ))}
      </ul>
    </div>
  )
}
