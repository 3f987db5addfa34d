import { useRecord } from '../../data/record.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card, Facts } from '../../ui/page/card.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { RecordPage } from '../../ui/page/record-page.tsx'
import { Related } from '../../ui/page/related.tsx'
import { Breakable } from '../../ui/text/breakable.tsx'
import { CopyText } from '../../ui/text/copy-button.tsx'
import { labelOf } from '../../ui/text/labels.ts'
import { FullMoment, Moment } from '../../ui/text/moment.tsx'
import { PersonLink } from '../../ui/text/person-link.tsx'
import { DetectionRow } from '../detections/detection-row.tsx'
import { ExtensionRow } from '../extensions/extension-row.tsx'
import { ConnectionCard } from './connection-card.tsx'

/** Page of a browser: details, extensions and detections. */
export function BrowserPage() {
  const query = useRecord('getBrowser')
  return (
    <RecordPage query={query} list={{ path: '/browsers', title: 'Browsers' }}>
      {(browser) => (
        <>
          <PageHead
            title={`${labelOf(browser.browser)} ${browser.version.split('.')[0]} on ${labelOf(browser.os)}`}
            aside={browser.isActive ? <Badge tone="good">Active</Badge> : <Badge>Inactive</Badge>}
          />
          <div className="columns">
            <div className="stack">
              <Related
                title="Browser extensions"
                list="browserExtensions"
                search={{ browserId: browser.id }}
                none="No extensions"
              >
                {(extension) => <ExtensionRow extension={extension} />}
              </Related>
              <Related
                title="Detections"
                list="detections"
                search={{ browserId: browser.id, sort: '-lastActivityTimestamp' }}
                none="No detections"
              >
                {(detection) => <DetectionRow detection={detection} />}
              </Related>
            </div>
            <div className="stack">
              <Card title="About">
                <Facts
                  facts={[
                    ['Employee', <PersonLink key="person" id={browser.employeeId} />],
                    ['E-mail address', <CopyText key="email" text={browser.email} what="address" />],
                    ['Last online', <Moment key="online" seconds={browser.lastOnlineTimestamp} />],
                    ['Enrolled', <FullMoment key="seen" seconds={browser.creationTimestamp} />],
                    ['Enrolled by', browser.tokenType === 'MANAGED' ? 'Managed policy' : 'Enrollment link'],
                    ['Version', browser.version],
                    ['Agent version', browser.extensionVersion],
                    ['Language', browser.language],
                    ['Profile', browser.profileEmail && <Breakable text={browser.profileEmail} />],
                    [
                      'Profile sync',
                      browser.profileSyncEnabled === null ? null : labelOf(browser.profileSyncEnabled),
                    ],
                  ]}
                />
              </Card>
              <ConnectionCard browser={browser} />
            </div>
          </div>
        </>
      )}
    </RecordPage>
  )
}
