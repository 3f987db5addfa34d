import '../../styles/charts.css'
import type { Overview } from '@muster/contract/console/console-overview'
import { type Figure, type OverviewFigures, overviewFigures } from '@muster/contract/console/figure-links'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { useSession } from '../../data/session.ts'
import { listLink } from '../../list/list-paths.ts'
import { Card } from '../../ui/page/card.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { labelOf } from '../../ui/text/labels.ts'
import { Moment } from '../../ui/text/moment.tsx'
import { nowSeconds } from '../../ui/text/moment-text.ts'
import { BarLine } from './bar-line.tsx'
import { shareText } from './chart-scale.ts'
import { FirstSteps, useFirstSteps } from './first-steps.tsx'
import { FixFirstCard } from './fix-first-card.tsx'
import { appSeries, detectionSeries, findingSeries } from './overview-charts.ts'
import { SecondStepNotice } from './second-step-notice.tsx'
import { WeekChart } from './week-chart.tsx'

const refreshMs = 60_000
/** Shorter interval after a stale response: the server then already computes a new overview. */
const soonMs = 4000

/** Overview page. Each figure links to its list. */
export function OverviewPage() {
  const { data: session } = useSession()
  const steps = useFirstSteps()
  const { data, error } = useQuery({
    queryKey: ['overview'],
    queryFn: () => callConsole('readOverview'),
    refetchInterval: ({ state }) =>
      state.data && nowSeconds() - state.data.asOfTimestamp > 2 * (refreshMs / 1000) ? soonMs : refreshMs,
  })
  return (
    <Page wide>
      <PageHead
        title="Overview"
        aside={
          data && (
            <span className="soft small">
              Updated <Moment seconds={data.asOfTimestamp} />
            </span>
          )
        }
      />
      <SecondStepNotice person={session?.administrator ?? null} />
      {data && !steps.isPending ? (
        <>
          <FirstSteps checklist={steps.data} />
          <Figures overview={data} />
        </>
      ) : (
        !error && <Waiting />
      )}
    </Page>
  )
}

/** Placeholder that reserves the space of the figures. */
function Waiting() {
  return (
    <div className="overview-grid" aria-busy="true">
      {['a', 'b', 'c', 'd', 'e'].map((name) => (
        <div key={name} className="card chart-waiting" />
      ))}
    </div>
  )
}

function Figures({ overview }: { overview: Overview }) {
  const { weekTimestamps } = overview
  const figures = overviewFigures(overview)
  return (
    <>
      <Headlines figures={figures} />
      <div className="overview-grid">
        <Card title="Detections by severity">
          <WeekChart
            caption="Detections by week and severity"
            weeks={weekTimestamps}
            series={detectionSeries(figures)}
          />
          <OpenDetections figures={figures} />
        </Card>
        <FixFirstCard />
        <FindingsCard figures={figures} weeks={weekTimestamps} />
        <Card title="Apps discovered">
          <WeekChart
            caption="Apps by the week they were first seen in"
            weeks={weekTimestamps}
            series={appSeries(figures)}
          />
        </Card>
        <HealthCard figures={figures} />
        <CoverageCard figures={figures} />
      </div>
    </>
  )
}

const numberText = (value: number): string => value.toLocaleString('en-GB')

/** A number that links to its list. */
const FigureLink = ({ figure: { count, link }, text = '' }: { figure: Figure; text?: string }) => (
  <Link {...listLink(link)}>
    {numberText(count)}
    {text && ` ${text}`}
  </Link>
)

/** The most important figures. */
function Headlines({ figures }: { figures: OverviewFigures }) {
  const { covered, licensed } = figures
  const lines: readonly (readonly [text: string, figure: Figure])[] = [
    ['Open detections', figures.detectionsOpen],
    ['Open findings', figures.findingsOpen],
    ['Employees', figures.employees],
    ['Active browsers', figures.activeBrowsers],
    ['Apps in use', figures.apps],
    ['Unrecognized apps in use', figures.appsOther],
  ]
  return (
    <ul className="headlines">
      {lines.map(([text, { count, link }]) => (
        <li key={text}>
          <Link {...listLink(link)} className="headline">
            <span className="headline-figure">{numberText(count)}</span>
            <span className="soft">{text}</span>
          </Link>
        </li>
      ))}
      <li>
        <Link {...listLink(covered.link)} className="headline">
          <span className="headline-figure">{shareText(covered.count, licensed.count)}</span>
          <span className="soft">of licensed employees protected</span>
        </Link>
      </li>
    </ul>
  )
}

const mostOf = (figures: readonly Figure[]): number => Math.max(1, ...figures.map(({ count }) => count))

function OpenDetections({ figures: { detections } }: { figures: OverviewFigures }) {
  const most = mostOf(detections.map(({ open }) => open))
  return (
    <div>
      <h3>Open by severity</h3>
      <ul>
        {detections.map(({ severity, open }) => (
          <BarLine
            key={severity}
            text={labelOf(severity)}
            figure={open}
            most={most}
            tone={severity.toLowerCase()}
          />
        ))}
      </ul>
    </div>
  )
}

type FindingType = OverviewFigures['findings'][number]['type']

function FindingsCard({ figures, weeks }: { figures: OverviewFigures; weeks: readonly number[] }) {
  const [type, setType] = useState<FindingType | ''>('')
  const { findings } = figures
  const byOpen = findings.toSorted((one, other) => other.open.count - one.open.count)
  const most = mostOf(findings.map(({ open }) => open))
  return (
    <Card
      title="Findings"
      actions={
        <select
          className="input fit"
          aria-label="Type of findings in the chart"
          value={type}
          onChange={(event) => setType(event.target.value as FindingType | '')}
        >
          <option value="">All types</option>
          {findings.map((one) => (
            <option key={one.type} value={one.type}>
              {labelOf(one.type)}
            </option>
          ))}
        </select>
      }
    >
      <WeekChart
        caption="Findings by the week they were first opened in"
        weeks={weeks}
        series={findingSeries(figures, type)}
      />
      <div>
        <h3>Open now</h3>
        <ul>
          {byOpen.map((one) => (
            <BarLine key={one.type} text={labelOf(one.type)} figure={one.open} most={most} />
          ))}
        </ul>
      </div>
    </Card>
  )
}

const passwordTypes: readonly FindingType[] = [
  'WEAK_PASSWORD',
  'LEAKED_PASSWORD',
  'REUSED_PASSWORD',
  'STOLEN_CREDENTIALS',
]

function HealthCard({ figures: { findings, passwords, mfa } }: { figures: OverviewFigures }) {
  const problems = findings.filter(({ type }) => passwordTypes.includes(type))
  const checked = mfa.registered.count + mfa.missing.count
  return (
    <Card title="MFA and passwords">
      <div>
        <h3>MFA of accounts</h3>
        <ul>
          <BarLine text="On" figure={mfa.registered} most={Math.max(1, checked)} tone="good" />
          <BarLine text="Off" figure={mfa.missing} most={Math.max(1, checked)} />
        </ul>
        <p className="soft small">
          MFA is on for {shareText(mfa.registered.count, checked)} of the {numberText(checked)} accounts that
          we could check. <FigureLink figure={mfa.unknown} text="not checked yet" />.
        </p>
      </div>
      <div>
        <h3>Password problems</h3>
        <ul>
          {problems.map(({ type, open }) => (
            <BarLine
              key={type}
              text={labelOf(type)}
              figure={open}
              most={Math.max(passwords.count, mostOf(problems.map((one) => one.open)))}
            />
          ))}
        </ul>
        <p className="soft small">
          Open findings. The passwords of <FigureLink figure={passwords} text="accounts" /> were checked.
        </p>
      </div>
    </Card>
  )
}

function CoverageCard({ figures }: { figures: OverviewFigures }) {
  const { employees, licensed, covered, uncovered } = figures
  const most = Math.max(1, employees.count)
  return (
    <Card title="Enrollment">
      <p>
        <span className="headline-figure">{shareText(covered.count, licensed.count)}</span>{' '}
        <span className="soft">of licensed employees have an active browser</span>
      </p>
      <ul>
        <BarLine text="Employees" figure={employees} most={most} />
        <BarLine text="Licensed" figure={licensed} most={most} />
        <BarLine text="With an active browser" figure={covered} most={most} tone="good" />
      </ul>
      {uncovered.count > 0 && (
        <p className="soft small">
          <FigureLink figure={uncovered} text="licensed employees" /> have no active browser. Send them an
          enrollment link from their page.
        </p>
      )}
    </Card>
  )
}
