import '../../styles/charts.css'
import type { Figure } from '@muster/contract/console/figure-links'
import type { Coverage } from '@muster/contract/console/rollout/console-coverage'
import { type ContactPeriod, coverageFigures } from '@muster/contract/console/rollout/coverage-figures'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { callConsole } from '../../data/call.ts'
import { listLink } from '../../list/list-paths.ts'
import { Card } from '../../ui/page/card.tsx'
import { labelOf } from '../../ui/text/labels.ts'
import { Moment } from '../../ui/text/moment.tsx'
import { utcDayText } from '../../ui/text/moment-text.ts'
import { BarLine } from '../overview/bar-line.tsx'
import { shareText } from '../overview/chart-scale.ts'

const periodTexts: Readonly<Record<ContactPeriod, string>> = {
  DAY: 'In the last 24 hours',
  WEEK: '1 to 7 days ago',
  MONTH: '7 to 30 days ago',
  SILENT: 'Silent for 30 days or more',
}

const mostOf = (figures: readonly Figure[]): number => Math.max(1, ...figures.map(({ count }) => count))

const FigureLink = ({ figure: { count, link } }: { figure: Figure }) => (
  <Link {...listLink(link)}>{count.toLocaleString('en-GB')}</Link>
)

/** Loads the coverage of the rollout. */
export const useCoverage = () =>
  useQuery({ queryKey: ['coverage'], queryFn: () => callConsole('readCoverage') })

/** Coverage of the rollout. Each number links to its list. */
export function CoverageCards({ coverage: data }: { coverage: Coverage }) {
  const figures = coverageFigures(data)
  const { all, contacts, versions, agents } = figures
  const days = figures.days
    .map((figure, at) => ({ figure, text: utcDayText(data.dayTimestamps[at] ?? 0) }))
    .filter(({ figure }) => figure.count > 0)
    .reverse()
  const periods = contacts.map(({ browsers }) => browsers)
  return (
    <>
      <p className="soft small">
        Counted <Moment seconds={data.asOfTimestamp} />
      </p>
      <div className="overview-grid">
        <Card title="Coverage">
          <p>
            <span className="headline-figure">{shareText(all.covered.count, all.licensed.count)}</span>{' '}
            <span className="soft">of licensed employees have an active browser</span>
          </p>
          <ul>
            <BarLine text="Licensed employees" figure={all.licensed} most={mostOf([all.licensed])} />
            <BarLine
              text="With an active browser"
              figure={all.covered}
              most={mostOf([all.licensed])}
              tone="good"
            />
            <BarLine text="Without" figure={all.uncovered} most={mostOf([all.licensed])} />
          </ul>
        </Card>
        <Card title="Last contact of browsers">
          <ul>
            {contacts.map(({ period, browsers }) => (
              <BarLine key={period} text={periodTexts[period]} figure={browsers} most={mostOf(periods)} />
            ))}
          </ul>
          <p className="soft small">
            A silent browser is switched off, was set up again, or its agent was removed. Its page says more.
          </p>
        </Card>
        <GroupsCard coverage={data} groups={figures.groups} />
        <Card title="Browsers enrolled by day" none={days.length === 0}>
          {days.length === 0 && <p className="soft">None in the last 30 days</p>}
          <ul>
            {days.map(({ figure, text }) => (
              <BarLine key={text} text={text} figure={figure} most={mostOf(days.map((day) => day.figure))} />
            ))}
          </ul>
        </Card>
        <Card title="Active browsers by version" none={versions.length === 0}>
          {versions.length === 0 && <p className="soft">No active browsers</p>}
          <ul>
            {versions.map(({ browser, version, browsers }) => (
              <BarLine
                key={`${browser} ${version}`}
                text={`${labelOf(browser)} ${version}`}
                figure={browsers}
                most={mostOf(versions.map((one) => one.browsers))}
              />
            ))}
          </ul>
        </Card>
        <Card title="Active browsers by agent" none={agents.length === 0}>
          {agents.length === 0 && <p className="soft">No active browsers</p>}
          <ul>
            {agents.map(({ version, browsers }) => (
              <BarLine
                key={version}
                text={`Agent ${version}`}
                figure={browsers}
                most={mostOf(agents.map((one) => one.browsers))}
              />
            ))}
          </ul>
        </Card>
      </div>
    </>
  )
}

function GroupsCard({
  coverage,
  groups,
}: {
  coverage: Coverage
  groups: ReturnType<typeof coverageFigures>['groups']
}) {
  if (groups.length === 0)
    return (
      <Card title="Groups" none>
        <p className="soft">No groups with licensed employees</p>
      </Card>
    )
  return (
    <Card title="Groups">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <section className="table-scroll" aria-label="Coverage of groups" tabIndex={0}>
        <table className="figures">
          <thead>
            <tr>
              <th scope="col">Group</th>
              <th scope="col">Licensed</th>
              <th scope="col">With an active browser</th>
              <th scope="col">Share</th>
              <th scope="col">Without</th>
            </tr>
          </thead>
          <tbody>
            {groups.map(({ name, licensed, covered, uncovered }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>
                  <FigureLink figure={licensed} />
                </td>
                <td>
                  <FigureLink figure={covered} />
                </td>
                <td>{shareText(covered.count, licensed.count)}</td>
                <td>
                  <FigureLink figure={uncovered} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {coverage.moreGroups && <p className="soft small">Smaller groups are not shown.</p>}
    </Card>
  )
}
