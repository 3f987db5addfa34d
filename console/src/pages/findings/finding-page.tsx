import type { Finding } from '@muster/contract/finding'
import { Link } from '@tanstack/react-router'
import { typeWords, useApp } from '../../data/app-names.ts'
import { useRecord } from '../../data/record.ts'
import { ValueBadge } from '../../ui/badge.tsx'
import { Card, Facts } from '../../ui/card.tsx'
import { FullMoment } from '../../ui/moment.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { PersonLink } from '../../ui/person-link.tsx'
import { RecordPage } from '../../ui/record-page.tsx'
import { Related } from '../../ui/related.tsx'
import { wordsOf } from '../../ui/words.ts'
import { findingAdvice } from './finding-advice.ts'

/** One finding: what it means, whom it is about, what to do. */
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
  const advice = findingAdvice[type]
  return (
    <>
      <PageHead title={wordsOf(type)} aside={<ValueBadge value={finding.state} />} />
      <div className="columns">
        <div className="stack">
          <Card title="What it means">
            <p>{advice.meaning}</p>
            {weakPasswordReasons && weakPasswordReasons.length > 0 && (
              <p>Because: {weakPasswordReasons.map((reason) => wordsOf(reason).toLowerCase()).join(', ')}.</p>
            )}
          </Card>
          <Card title="What to do">
            <p>{advice.remedy}</p>
          </Card>
          {employeeId !== null && (
            <Related
              title="Other findings of this person"
              list="findings"
              search={{ employeeId, state: 'OPEN' }}
              path="/findings"
              none="Nothing else is open."
              except={finding.id}
            >
              {(other) => (
                <Link to="/findings/$id" params={{ id: other.id }} className="grow">
                  {wordsOf(other.type)}{' '}
                  <span className="soft">{other.appType === null ? '' : typeWords(other.appType)}</span>
                </Link>
              )}
            </Related>
          )}
        </div>
        <Card title="About">
          <Facts
            facts={[
              ['Employee', employeeId && <PersonLink id={employeeId} />],
              [
                'Account',
                accountId && (
                  <Link to="/accounts/$id" params={{ id: accountId }}>
                    Show the account
                  </Link>
                ),
              ],
              [
                'App',
                appId && (
                  <Link to="/apps/$id" params={{ id: appId }}>
                    {app?.friendlyName ?? (appType === null ? 'App' : typeWords(appType))}
                  </Link>
                ),
              ],
              ['First found', <FullMoment key="seen" seconds={finding.creationTimestamp} />],
              ['Changed', <FullMoment key="changed" seconds={finding.lastUpdatedTimestamp} />],
            ]}
          />
        </Card>
      </div>
    </>
  )
}
