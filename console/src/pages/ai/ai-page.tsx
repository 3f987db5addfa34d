import '../../styles/charts.css'
import type { AiPeriod, AiUsage } from '@muster/contract/console/console-apps'
import type { ConsoleListName } from '@muster/contract/console/console-lists'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { callConsole } from '../../data/call.ts'
import type { ListSearch } from '../../data/list-search.ts'
import { listLink } from '../../list/list-paths.ts'
import { Card } from '../../ui/page/card.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { LoadFailure } from '../../ui/page/load-failure.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { PeriodSelect, usePeriod } from '../../ui/page/period-select.tsx'
import { WeekChart } from '../overview/week-chart.tsx'
import { AiToolsTable } from './ai-tools-table.tsx'

const periods: readonly AiPeriod[] = ['THIS_MONTH', 'LAST_30_DAYS', 'LAST_90_DAYS']
const titles: Readonly<Record<AiPeriod, string>> = {
  THIS_MONTH: 'Used this month (UTC)',
  LAST_30_DAYS: 'Used in the last 30 days',
  LAST_90_DAYS: 'Used in the last 90 days',
}
const weekSeconds = 7 * 86_400

/** Page of the AI tools that people use, with work or private accounts. */
export function AiPage() {
  const period = usePeriod(periods, 'THIS_MONTH')
  const { data, error } = useQuery({
    queryKey: ['ai-usage', period],
    queryFn: () => callConsole('readAiUsage', { id: period }),
  })
  return (
    <Page wide>
      <PageHead title="AI tools">
        <PeriodSelect periods={periods} period={period} />
      </PageHead>
      <p className="soft">
        Apps of the catalog category AI, and unrecognized apps that are probably AI tools by their domain.
      </p>
      {error && !data && <LoadFailure error={error} />}
      {data && <Usage usage={data} period={period} />}
    </Page>
  )
}

function Usage({ usage, period }: { usage: AiUsage; period: AiPeriod }) {
  const { tools, toolCount, people, privatePeople, fromTimestamp } = usage
  const since = { appUsedTimestampAfter: String(fromTimestamp) }
  if (toolCount === 0)
    return (
      <>
        <EmptyState title="No AI tools in this period">
          <p className="soft">AI tools appear when people sign in to them in enrolled browsers.</p>
        </EmptyState>
        <NewAccounts usage={usage} />
      </>
    )
  return (
    <>
      <ul className="headlines">
        <li>
          <div className="headline">
            <span className="headline-figure">{toolCount.toLocaleString('en-GB')}</span>
            <span className="soft">{toolCount === 1 ? 'AI tool in use' : 'AI tools in use'}</span>
          </div>
        </li>
        <People count={people} text="People" filters={{ aiUse: 'ANY_ACCOUNT', ...since }} />
        <People
          count={privatePeople}
          text="People with a private account"
          filters={{ aiUse: 'PRIVATE_ACCOUNT', ...since }}
        />
      </ul>
      <Card
        title={titles[period]}
        note="Accounts by the kind of their name. A work address has a domain of your employees."
      >
        <AiToolsTable tools={tools} fromTimestamp={fromTimestamp} />
        {tools.length < toolCount && (
          <p className="soft">Showing the {tools.length} tools with the most people.</p>
        )}
      </Card>
      <NewAccounts usage={usage} />
    </>
  )
}

function People({ count, text, filters }: { count: number; text: string; filters: ListSearch }) {
  return (
    <li>
      <Link {...listLink({ list: 'employees', filters })} className="headline">
        <span className="headline-figure">{count.toLocaleString('en-GB')}</span>
        <span className="soft">{text}</span>
      </Link>
    </li>
  )
}

function NewAccounts({ usage: { weekTimestamps, newAccounts, newOtherAccounts } }: { usage: AiUsage }) {
  const inWeek = (week: number) => {
    const from = weekTimestamps[week] ?? 0
    return { creationTimestampAfter: String(from), creationTimestampBefore: String(from + weekSeconds) }
  }
  const linksOf = (counts: readonly number[], list: ConsoleListName, filters: ListSearch) =>
    counts.map((count, week) =>
      count > 0 ? listLink({ list, filters: { ...filters, ...inWeek(week) } }) : undefined,
    )
  return (
    <Card title="New accounts by week">
      <WeekChart
        caption="New accounts in AI tools by week"
        weeks={weekTimestamps}
        series={[
          {
            name: 'Catalog apps',
            tone: 'one',
            values: newAccounts,
            links: linksOf(newAccounts, 'accounts', { appCategory: 'AI' }),
          },
          {
            name: 'Unrecognized apps',
            tone: 'two',
            values: newOtherAccounts,
            links: linksOf(newOtherAccounts, 'accountsOther', { aiTool: 'true' }),
          },
        ]}
      />
    </Card>
  )
}
