import { useRecord } from '../../data/record.ts'
import { Card, Facts } from '../../ui/page/card.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { RecordPage } from '../../ui/page/record-page.tsx'
import { FullMoment, Moment } from '../../ui/text/moment.tsx'
import { PersonLink } from '../../ui/text/person-link.tsx'
import { OtherAppName } from '../apps/other-app-name.tsx'
import { LoginMethodsCard } from './login-methods-card.tsx'

/** Page of an account in an app outside the catalog. */
export function OtherAccountPage() {
  const query = useRecord('getAccountOther')
  return (
    <RecordPage query={query} list={{ path: '/accounts-other', title: 'Unrecognized accounts' }}>
      {(account) => (
        <>
          <PageHead title={account.email} />
          <div className="columns">
            <LoginMethodsCard methods={account.loginMethods} />
            <Card title="About">
              <Facts
                facts={[
                  ['App', <OtherAppName key="app" id={account.otherAppId} />],
                  ['Employee', <PersonLink key="person" id={account.employeeId} />],
                  ['Last used', <Moment key="used" seconds={account.lastUsedTimestamp} />],
                  ['Added', <FullMoment key="seen" seconds={account.creationTimestamp} />],
                ]}
              />
            </Card>
          </div>
        </>
      )}
    </RecordPage>
  )
}
