import { Link } from '@tanstack/react-router'
import { useRecord } from '../../data/record.ts'
import { Badge, ValueBadge } from '../../ui/badge.tsx'
import { Card, Facts } from '../../ui/page/card.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { RecordPage } from '../../ui/page/record-page.tsx'
import { Related } from '../../ui/page/related.tsx'
import { FullMoment, Moment } from '../../ui/text/moment.tsx'
import { PersonLink } from '../../ui/text/person-link.tsx'

/** Page of an app outside the catalog. */
export function OtherAppPage() {
  const query = useRecord('getAppOther')
  return (
    <RecordPage query={query} list={{ path: '/apps-other', title: 'Unrecognized apps' }}>
      {(app) => (
        <>
          <PageHead title={app.domain} aside={<ValueBadge value={app.requestSupportStatus} />} />
          <div className="columns">
            <Related
              title="Accounts"
              list="accountsOther"
              search={{ otherAppId: app.id, sort: '-lastUsedTimestamp' }}
              none="No accounts"
            >
              {(account) => (
                <>
                  <Link to="/accounts-other/$id" params={{ id: account.id }} className="grow">
                    {account.email}
                  </Link>
                  <PersonLink id={account.employeeId} />
                  <span className="soft small">
                    <Moment seconds={account.lastUsedTimestamp} />
                  </span>
                </>
              )}
            </Related>
            <Card title="About">
              <Facts
                facts={[
                  ['Domain', app.domain],
                  ['Hidden', app.hidden && <Badge key="hidden">Hidden</Badge>],
                  ['Added', <FullMoment key="seen" seconds={app.creationTimestamp} />],
                ]}
              />
            </Card>
          </div>
        </>
      )}
    </RecordPage>
  )
}
