import '../../styles/charts.css'
import type { Overview } from '@muster/contract/console/console-overview'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { useSession } from '../../data/session.ts'
import { Card } from '../../ui/card.tsx'
import { Moment } from '../../ui/moment.tsx'
import { nowSeconds } from '../../ui/moment-text.ts'
import { Page } from '../../ui/page.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { wordsOf } from '../../ui/words.ts'
import { BarLine } from './bar-line.tsx'
import { shareText } from './chart-scale.ts'
import { FirstSteps } from './first-steps.tsx'
import { appSeries, detectionSeries, findingSeries, listPath } from './overview-charts.ts'
import { SecondStepNotice } from './second-step-notice.tsx'
import { WeekChart } from './week-chart.tsx'

const refreshMs = 60_000
/** The server gives an old overview at once while it takes a new one: that is fetched soon. */
const soonMs = 4000

/** The state of things, each figure leading to its list. */
export function OverviewPage() {
  const { data: session } = useSession()
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
              Counted <Moment seconds={data.asOfTimestamp} />
            </span>
          )
        }
      />
      <SecondStepNotice person={session?.administrator ?? null} />
      {data ? <Figures overview={data} /> : !error && <Waiting />}
    </Page>
  )
}

/** Keeps the room of the figures until they are there. */
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
  const { totals, weekTimestamps } = overview
  const nothing = totals.employees === 0 && totals.accounts === 0 && totals.activeBrowsers === 0
  if (nothing) return <FirstSteps />
  return (
    <>
      <Headlines overview={overview} />
      <div className="overview-grid">
        <Card title="Detections by severity">
          <WeekChart
            caption="Detections by week and severity"
            weeks={weekTimestamps}
            series={detectionSeries(overview)}
          />
          <DetectionsWaiting overview={overview} />
        </Card>
        <FindingsCard overview={overview} />
        <Card title="Apps discovered">
          <WeekChart
            caption="Apps by the week they were first seen in"
            weeks={weekTimestamps}
            series={appSeries(overview)}
          />
        </Card>
        <HealthCard overview={overview} />
        <CoverageCard overview={overview} />
      </div>
    </>
  )
}

/** The figures that matter most, in large. */
function Headlines({ overview: { detections, findings, coverage, totals } }: { overview: Overview }) {
  const waiting = detections.reduce((sum, one) => sum + one.waiting, 0)
  const open = findings.reduce((sum, one) => sum + one.open, 0)
  const lines = [
    ['Detections to respond to', waiting, listPath('/detections', { archived: 'false' })],
    ['Open findings', open, listPath('/findings', { state: 'OPEN' })],
    ['Employees', totals.employees, '/employees'],
    ['Active browsers', totals.activeBrowsers, listPath('/browsers', { isActive: 'true' })],
    ['Apps in use', totals.apps, '/apps'],
    ['Other apps in use', totals.appsOther, '/apps-other'],
  ] as const
  return (
    <ul className="headlines">
      {lines.map(([text, count, path]) => (
        <li key={text}>
          <Link to={path} className="headline">
            <span className="headline-figure">{count.toLocaleString('en-GB')}</span>
            <span className="soft">{text}</span>
          </Link>
        </li>
      ))}
      <li>
        <Link to={listPath('/employees', { licensed: 'true' })} className="headline">
          <span className="headline-figure">{shareText(coverage.covered, coverage.licensed)}</span>
          <span className="soft">of licences in use</span>
        </Link>
      </li>
    </ul>
  )
}

function DetectionsWaiting({ overview: { detections } }: { overview: Overview }) {
  const most = Math.max(1, ...detections.map(({ waiting }) => waiting))
  return (
    <div>
      <h3>Not archived</h3>
      <ul>
        {detections.map(({ severity, waiting }) => (
          <BarLine
            key={severity}
            text={wordsOf(severity)}
            count={waiting}
            most={most}
            path={listPath('/detections', { severity, archived: 'false' })}
            tone={severity.toLowerCase()}
          />
        ))}
      </ul>
    </div>
  )
}

type FindingType = Overview['findings'][number]['type']

function FindingsCard({ overview }: { overview: Overview }) {
  const [type, setType] = useState<FindingType | ''>('')
  const { findings, weekTimestamps } = overview
  const byOpen = findings.toSorted((one, other) => other.open - one.open)
  const most = Math.max(1, ...findings.map(({ open }) => open))
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
              {wordsOf(one.type)}
            </option>
          ))}
        </select>
      }
    >
      <WeekChart
        caption="Findings by the week they were first opened in"
        weeks={weekTimestamps}
        series={findingSeries(overview, type)}
      />
      <div>
        <h3>Open now</h3>
        <ul>
          {byOpen.map((one) => (
            <BarLine
              key={one.type}
              text={wordsOf(one.type)}
              count={one.open}
              most={most}
              path={listPath('/findings', { type: one.type, state: 'OPEN' })}
            />
          ))}
        </ul>
      </div>
    </Card>
  )
}

const passwordTypes = ['WEAK_PASSWORD', 'LEAKED_PASSWORD', 'REUSED_PASSWORD', 'STOLEN_CREDENTIALS'] as const

function HealthCard({ overview: { findings, passwords, mfa } }: { overview: Overview }) {
  const openOf = (type: FindingType) => findings.find((one) => one.type === type)?.open ?? 0
  const known = mfa.registered + mfa.missing
  return (
    <Card title="MFA and passwords">
      <div>
        <h3>Second factors</h3>
        <ul>
          <BarLine
            text="Registered"
            count={mfa.registered}
            most={Math.max(1, mfa.looked)}
            path={listPath('/accounts', { sort: '-lastUsedTimestamp' })}
            tone="good"
          />
          <BarLine
            text="None"
            count={mfa.missing}
            most={Math.max(1, mfa.looked)}
            path={listPath('/findings', { type: 'MFA_NOT_REGISTERED', state: 'OPEN' })}
          />
        </ul>
        <p className="soft small">
          {shareText(mfa.registered, known)} of those where it is known. Looked at: the{' '}
          {mfa.looked.toLocaleString('en-GB')} accounts used last; of {mfa.unknown.toLocaleString('en-GB')}{' '}
          nothing is known yet.
        </p>
      </div>
      <div>
        <h3>Accounts with a password that is</h3>
        <ul>
          {passwordTypes.map((type) => (
            <BarLine
              key={type}
              text={wordsOf(type)}
              count={openOf(type)}
              most={Math.max(1, passwords.accounts)}
              path={listPath('/findings', { type, state: 'OPEN' })}
            />
          ))}
        </ul>
        <p className="soft small">
          Of {passwords.accounts.toLocaleString('en-GB')} accounts whose password was seen.
        </p>
      </div>
    </Card>
  )
}

function CoverageCard({ overview: { coverage, totals } }: { overview: Overview }) {
  const { licensed, covered } = coverage
  const most = Math.max(1, totals.employees)
  return (
    <Card title="Enrolment">
      <p>
        <span className="headline-figure">{shareText(covered, licensed)}</span>{' '}
        <span className="soft">of licensed employees have an active browser</span>
      </p>
      <ul>
        <BarLine text="Employees" count={totals.employees} most={most} path="/employees" />
        <BarLine
          text="Licensed"
          count={licensed}
          most={most}
          path={listPath('/employees', { licensed: 'true' })}
        />
        <BarLine
          text="With an active browser"
          count={covered}
          most={most}
          path={listPath('/browsers', { isActive: 'true' })}
          tone="good"
        />
      </ul>
      {covered < licensed && (
        <p className="soft small">
          {(licensed - covered).toLocaleString('en-GB')} licensed employees have none. Send them an enrolment
          link from their page.
        </p>
      )}
    </Card>
  )
}
