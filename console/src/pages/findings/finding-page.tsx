import type { Finding } from '@muster/contract/records/finding'
import { findingWords } from '@muster/contract/records/finding-words'
import { Link } from '@tanstack/react-router'
import { Mail } from 'lucide-react'
import { useState } from 'react'
import { appTypeName, useApp } from '../../data/app-names.ts'
import { usePerson } from '../../data/person.ts'
import { useAccount, useRecord } from '../../data/record.ts'
import { useHasRole } from '../../data/session.ts'
import { ValueBadge } from '../../ui/badge.tsx'
import { PushButton } from '../../ui/button.tsx'
import { Card, Facts } from '../../ui/page/card.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { RecordPage } from '../../ui/page/record-page.tsx'
import { Related } from '../../ui/page/related.tsx'
import { Breakable } from '../../ui/text/breakable.tsx'
import { labelOf } from '../../ui/text/labels.ts'
import { FullMoment } from '../../ui/text/moment.tsx'
import { PasswordPageLink, usePasswordPage } from '../../ui/text/password-page-link.tsx'
import { PersonLink } from '../../ui/text/person-link.tsx'
import { AskDialog } from '../work/ask-dialog.tsx'
import { WorkCard } from '../work/work-card.tsx'
import { PriorityCard } from './priority-card.tsx'

/** Page of a finding. */
export function FindingPage() {
  const query = useRecord('getFinding')
  return (
    <RecordPage query={query} list={{ path: '/findings', title: 'Findings' }}>
      {(finding) => <FindingRecord finding={finding} />}
    </RecordPage>
  )
}

function FindingRecord({ finding }: { finding: Finding }) {
  const { type, employeeId, accountId, appId, appType, weakPasswordReasons } = finding
  const app = useApp(appId).data
  const person = usePerson(employeeId).data
  const account = useAccount(accountId).data
  const advice = findingWords[type]
  const mayWrite = useHasRole('FULL_ACCESS')
  const [isAsking, setAsking] = useState(false)
  const passwordPage = usePasswordPage(advice.changesPassword ? appId : null)
  return (
    <>
      <PageHead title={labelOf(type)} aside={<ValueBadge value={finding.state} />}>
        {mayWrite && finding.state === 'OPEN' && person && (
          <PushButton kind="primary" onClick={() => setAsking(true)}>
            <Mail />
            Ask {person.firstName ?? person.email}
          </PushButton>
        )}
      </PageHead>
      <div className="columns">
        <div className="stack">
          <PriorityCard finding={finding} />
          <Card title="What it means">
            <p>{advice.meaning}</p>
            {weakPasswordReasons && weakPasswordReasons.length > 0 && (
              <p>Reasons: {weakPasswordReasons.map((reason) => labelOf(reason).toLowerCase()).join(', ')}.</p>
            )}
            <h3>What to do</h3>
            <p>{advice.remedy}</p>
            <PasswordPageLink page={passwordPage} />
          </Card>
          {employeeId !== null && (
            <Related
              title="Other findings of this person"
              list="findings"
              search={{ employeeId, state: 'OPEN', ...(finding.state === 'OPEN' && { except: finding.id }) }}
              none="No other open findings"
            >
              {(other) => (
                <Link to="/findings/$id" params={{ id: other.id }} className="grow">
                  {labelOf(other.type)}{' '}
                  <span className="soft">{other.appType === null ? '' : appTypeName(other.appType)}</span>
                </Link>
              )}
            </Related>
          )}
        </div>
        <div className="stack">
          <WorkCard list="findings" id={finding.id} since={finding.creationTimestamp} />
          <Card title="About">
            <Facts
              facts={[
                ['Employee', employeeId && <PersonLink id={employeeId} />],
                [
                  'Account',
                  accountId && (
                    <Link to="/accounts/$id" params={{ id: accountId }}>
                      {account ? <Breakable text={account.email} /> : 'View account'}
                    </Link>
                  ),
                ],
                [
                  'App',
                  appId && (
                    <Link to="/apps/$id" params={{ id: appId }}>
                      {app?.friendlyName ?? (appType === null ? 'App' : appTypeName(appType))}
                    </Link>
                  ),
                ],
                ['First seen', <FullMoment key="seen" seconds={finding.creationTimestamp} />],
                ['Last updated', <FullMoment key="changed" seconds={finding.lastUpdatedTimestamp} />],
              ]}
            />
          </Card>
        </div>
      </div>
      {isAsking && person && <AskDialog employeeId={person.id} onClose={() => setAsking(false)} />}
    </>
  )
}
