import { Link } from '@tanstack/react-router'
import { useRecord } from '../../data/record.ts'
import { Badge, ValueBadge } from '../../ui/badge.tsx'
import { Card, Facts } from '../../ui/card.tsx'
import { FullMoment, Moment } from '../../ui/moment.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { PersonLink } from '../../ui/person-link.tsx'
import { RecordPage } from '../../ui/record-page.tsx'
import { Related } from '../../ui/related.tsx'
import { wordsOf } from '../../ui/words.ts'
import { hostOf } from '../detections/host-of.ts'
import { RiskBadge } from '../extensions/extensions-plan.tsx'
import { riskOf } from '../extensions/permission-risk.ts'

/** One browser: what it is, what is installed in it, what was detected in it. */
export function BrowserPage() {
  const query = useRecord('getBrowser')
  return (
    <RecordPage query={query} list={{ path: '/browsers', title: 'Browsers' }}>
      {(browser) => (
        <>
          <PageHead
            title={`${wordsOf(browser.browser)} ${browser.version.split('.')[0]} on ${wordsOf(browser.os)}`}
            aside={browser.isActive ? <Badge tone="good">Active</Badge> : <Badge>Silent</Badge>}
          />
          <div className="columns">
            <div className="stack">
              <Related
                title="Browser extensions"
                list="browserExtensions"
                search={{ browserId: browser.id }}
                path="/extensions"
                none="No extension was reported."
              >
                {(extension) => (
                  <>
                    <Link to="/extensions/$id" params={{ id: extension.extensionId }} className="grow">
                      {extension.name || extension.extensionId}
                    </Link>
                    {!extension.enabled && <Badge>Disabled</Badge>}
                    <span className="soft small">Can do</span>
                    <RiskBadge risk={riskOf(extension)} />
                  </>
                )}
              </Related>
              <Related
                title="Detections"
                list="detections"
                search={{ browserId: browser.id, sort: '-lastActivityTimestamp' }}
                path="/detections"
                none="Nothing was detected in it."
              >
                {(detection) => (
                  <>
                    <Link to="/detections/$id" params={{ id: detection.id }} className="grow">
                      {wordsOf(detection.detectionType)} <span className="soft">{hostOf(detection.url)}</span>
                    </Link>
                    <ValueBadge value={detection.severity} />
                    <span className="soft small">
                      <Moment seconds={detection.lastActivityTimestamp} />
                    </span>
                  </>
                )}
              </Related>
            </div>
            <Card title="About">
              <Facts
                facts={[
                  ['Employee', <PersonLink key="person" id={browser.employeeId} />],
                  ['E-mail address', browser.email],
                  ['Last online', <Moment key="online" seconds={browser.lastOnlineTimestamp} />],
                  ['Enrolled', <FullMoment key="seen" seconds={browser.creationTimestamp} />],
                  ['Enrolled by', browser.tokenType === 'MANAGED' ? 'Managed policy' : 'Enrolment link'],
                  ['Version', browser.version],
                  ['Agent', browser.extensionVersion],
                  ['Language', browser.language],
                  ['Profile', browser.profileEmail],
                  [
                    'Profile synchronised',
                    browser.profileSyncEnabled === null ? null : wordsOf(browser.profileSyncEnabled),
                  ],
                ]}
              />
            </Card>
          </div>
        </>
      )}
    </RecordPage>
  )
}
