import '../../styles/charts.css'
import '../../styles/trends.css'
import type { Report } from '@muster/contract/console/trends/console-trends'
import {
  periodText,
  type ReportFigure,
  reportChanges,
  reportHeadlines,
  reportShares,
} from '@muster/contract/console/trends/report-figures'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Printer } from 'lucide-react'
import { callConsole } from '../../data/call.ts'
import { messageOf } from '../../data/console-send.ts'
import { PushButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { nowSeconds, utcDayText } from '../../ui/text/moment-text.ts'
import { FigureChange, FigureGrid, FigureValue } from './figure-value.tsx'
import { reportPeriods } from './report-periods.ts'
import { AppsTable, CoverageTable, DetectionTables, FindingsTable } from './report-tables.tsx'

/** Report about a month or a quarter. Prints on two A4 pages. */
export function ReportPage() {
  const { id = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const { data, error } = useQuery({
    queryKey: ['report', id],
    queryFn: () => callConsole('readReport', { id }),
  })
  const { months, quarters } = reportPeriods(nowSeconds())
  const offered = [...months, ...quarters]
  return (
    <Page>
      <PageHead title={`Security report: ${titleOf(id)}`}>
        <select
          className="input fit no-print"
          aria-label="Period"
          value={id}
          onChange={({ target }) => void navigate({ to: '/reports/$id', params: { id: target.value } })}
        >
          {!offered.includes(id) && <option value={id}>{titleOf(id)}</option>}
          <optgroup label="Months">
            {months.map((one) => (
              <option key={one} value={one}>
                {periodText(one)}
              </option>
            ))}
          </optgroup>
          <optgroup label="Quarters">
            {quarters.map((one) => (
              <option key={one} value={one}>
                {periodText(one)}
              </option>
            ))}
          </optgroup>
        </select>
        <PushButton kind="no-print" onClick={() => print()}>
          <Printer /> Print
        </PushButton>
      </PageHead>
      {error && !data && (
        <EmptyState title="No report">
          <p className="soft">{messageOf(error)}</p>
        </EmptyState>
      )}
      {data && <ReportText report={data} />}
    </Page>
  )
}

const titleOf = (id: string): string => (/^\d{4}-(Q[1-4]|(0[1-9]|1[0-2]))$/.test(id) ? periodText(id) : id)

const rangeText = (from: number, to: number): string => `${utcDayText(from)} to ${utcDayText(to - 86_400)}`

function ReportText({ report }: { report: Report }) {
  const { organization, fromTimestamp, toTimestamp, endTimestamp } = report
  const { previousFromTimestamp, previousToTimestamp } = report
  if (toTimestamp === fromTimestamp)
    return (
      <EmptyState title="No whole day yet">
        <p className="soft">The report of this period starts tomorrow (UTC).</p>
      </EmptyState>
    )
  return (
    <div className="report">
      <p className="soft">
        <bdi>{organization}</bdi> · {rangeText(fromTimestamp, toTimestamp)}
        {toTimestamp < endTimestamp && ', so far'}. Changes are against{' '}
        {rangeText(previousFromTimestamp, previousToTimestamp)}.
      </p>
      <FigureGrid figures={[...reportHeadlines(report), ...reportShares(report)]} />
      {(report.levels === null || report.levelsBefore === null) && (
        <p className="soft small">
          Open findings and percentages are counted once a day while Muster runs, and are not known for{' '}
          {report.levels === null ? 'this period' : 'the period before'}.
        </p>
      )}
      <Changes report={report} />
      <FindingsTable report={report} />
      <div className="second-page">
        <DetectionTables report={report} />
        <div className="report-columns">
          <CoverageTable report={report} />
          <AppsTable report={report} />
        </div>
        <p className="soft small">
          Days are in UTC. A closed finding counts on the day it was closed. Open findings and percentages are
          those at the end of the last day. Made by Muster on {utcDayText(report.asOfTimestamp)}.
        </p>
      </div>
    </div>
  )
}

function Changes({ report }: { report: Report }) {
  const { better, worse } = reportChanges(report)
  return (
    <div className="report-columns">
      <ChangeList title="Better" figures={better} none="Nothing got clearly better." />
      <ChangeList title="Worse" figures={worse} none="Nothing got clearly worse." />
    </div>
  )
}

function ChangeList({
  title,
  figures,
  none,
}: {
  title: string
  figures: readonly ReportFigure[]
  none: string
}) {
  return (
    <section className="card">
      <h2>{title}</h2>
      {figures.length === 0 && <p className="soft">{none}</p>}
      <ul>
        {figures.map((figure) => (
          <li key={figure.id} className="row">
            <span className="grow">{figure.label}</span>
            <FigureValue figure={figure} />
            <FigureChange figure={figure} />
          </li>
        ))}
      </ul>
    </section>
  )
}
