import type { App } from '@muster/contract/records/app'
import { useFirstRecords } from '../../data/lists.ts'
import { FigureLink } from '../../list/figure-link.tsx'
import { Card, Facts } from '../../ui/page/card.tsx'
import { RiskBadge } from '../../ui/page/priority-badge.tsx'
import { labelOf } from '../../ui/text/labels.ts'
import { FullMoment } from '../../ui/text/moment.tsx'

/** Figures of an app as the list of apps shows them. */
export function AppFiguresCard({ app: { id, type } }: { app: App }) {
  const { data } = useFirstRecords('apps', { type })
  const app = data?.records.find((record) => record.id === id)
  if (!app) return null
  const { risk, people, accounts, openFindings, category, signInMethods, lastUsedTimestamp } = app
  return (
    <Card title="Use">
      <Facts
        facts={[
          ['People', <FigureLink key="people" count={people} list="employees" filters={{ appId: id }} />],
          [
            'Accounts',
            <FigureLink key="accounts" count={accounts} list="accounts" filters={{ appId: id }} />,
          ],
          [
            'Open findings',
            <FigureLink
              key="findings"
              count={openFindings}
              list="findings"
              filters={{ appId: id, state: 'OPEN' }}
            />,
          ],
          ['Risk', <RiskBadge key="risk" risk={risk} />],
          ['Sign-in methods', signInMethods.map(labelOf).join(', ')],
          ['Last used', lastUsedTimestamp && <FullMoment key="used" seconds={lastUsedTimestamp} />],
          ['Category', category && labelOf(category)],
        ]}
      />
    </Card>
  )
}
