import { declarations } from 'virtual:muster-declarations'
import type { ConsoleListName } from '@muster/contract/console/console-lists'
import { Link } from '@tanstack/react-router'
import { type ListSearch, stringifySearch } from '../../data/list-search.ts'
import { useCounts } from '../../data/lists.ts'
import { useSession } from '../../data/session.ts'
import { Card } from '../../ui/card.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { wordsOf } from '../../ui/words.ts'

interface Bar {
  readonly text: string
  readonly list: ConsoleListName
  readonly path: string
  readonly search: ListSearch
}

const valuesOf = (list: ConsoleListName, filter: string): readonly string[] =>
  (declarations.lists[list].filters.find(({ name }) => name === filter)?.values ?? []).filter(
    (value) => value !== null,
  )

const charts: readonly { readonly title: string; readonly bars: readonly Bar[] }[] = [
  {
    title: 'Detections to respond to',
    bars: [...valuesOf('detections', 'severity')].reverse().map((severity) => ({
      text: wordsOf(severity),
      list: 'detections',
      path: '/detections',
      search: { severity, archived: 'false' },
    })),
  },
  {
    title: 'Open findings',
    bars: valuesOf('findings', 'type').map((type) => ({
      text: wordsOf(type),
      list: 'findings',
      path: '/findings',
      search: { type, state: 'OPEN' },
    })),
  },
  {
    title: 'Apps by approval',
    bars: valuesOf('apps', 'approvalStatus').map((approvalStatus) => ({
      text: wordsOf(approvalStatus),
      list: 'apps',
      path: '/apps',
      search: { approvalStatus },
    })),
  },
  {
    title: 'Enrolment',
    bars: [
      { text: 'Employees', list: 'employees', path: '/employees', search: {} },
      { text: 'Licensed', list: 'employees', path: '/employees', search: { licensed: 'true' } },
      { text: 'Browsers', list: 'browsers', path: '/browsers', search: {} },
      { text: 'Active browsers', list: 'browsers', path: '/browsers', search: { isActive: 'true' } },
    ],
  },
]

/** The state of things, each figure leading to its list. */
export function OverviewPage() {
  const { data: session } = useSession()
  const person = session?.administrator
  return (
    <div className="page">
      <PageHead title="Overview" />
      {person?.signsInByPassword && person.secondFactors.length === 0 && (
        <p className="notice warn">
          Your sign-in has no second step. <Link to="/account">Add an authenticator app or a passkey.</Link>
        </p>
      )}
      <div className="tiles">
        {charts.map(({ title, bars }) => (
          <Chart key={title} title={title} bars={bars} />
        ))}
      </div>
    </div>
  )
}

function Chart({ title, bars }: { title: string; bars: readonly Bar[] }) {
  const counts = useCounts(bars).map(({ data }) => data)
  const most = Math.max(1, ...counts.map((count) => count?.count ?? 0))
  return (
    <Card title={title}>
      <ul>
        {bars.map(({ text, path, search }, index) => {
          const count = counts[index]
          return (
            <li key={text}>
              <Link to={`${path}${stringifySearch(search)}`} className="bar-row">
                <span>{text}</span>
                <meter min={0} max={most} value={count?.count ?? 0} aria-hidden="true" />
                <span className="figure">
                  {count ? `${count.count.toLocaleString('en-GB')}${count.more ? '+' : ''}` : '…'}
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
