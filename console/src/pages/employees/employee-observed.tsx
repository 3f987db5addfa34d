import { Link } from '@tanstack/react-router'
import { Badge } from '../../ui/badge.tsx'
import { Related } from '../../ui/page/related.tsx'
import { labelOf } from '../../ui/text/labels.ts'
import { Moment } from '../../ui/text/moment.tsx'
import { AccountRow } from '../accounts/account-row.tsx'
import { DetectionRow } from '../detections/detection-row.tsx'
import { ExtensionRow } from '../extensions/extension-row.tsx'
import { FindingRow } from '../findings/finding-row.tsx'
import { RiskCard } from './risk-card.tsx'

/** Observed records of a person, most important first. */
export function EmployeeObserved({ id }: { id: string }) {
  return (
    <div className="stack">
      <RiskCard id={id} />
      <Related
        title="Detections"
        list="detections"
        search={{ employeeId: id, sort: '-lastActivityTimestamp' }}
        none="No detections"
      >
        {(detection) => <DetectionRow detection={detection} />}
      </Related>
      <Related
        title="Open findings"
        list="findings"
        search={{ employeeId: id, state: 'OPEN' }}
        none="No open findings"
      >
        {(finding) => <FindingRow finding={finding} withApp />}
      </Related>
      <Related
        title="Accounts"
        list="accounts"
        search={{ employeeId: id, sort: '-lastUsedTimestamp' }}
        none="No accounts"
      >
        {(account) => <AccountRow account={account} withApp />}
      </Related>
      <Related
        title="Browsers"
        list="browsers"
        search={{ employeeId: id, sort: '-lastOnlineTimestamp' }}
        none="No browsers"
      >
        {(browser) => (
          <>
            <Link to="/browsers/$id" params={{ id: browser.id }} className="grow">
              {labelOf(browser.browser)} {browser.version.split('.')[0]}{' '}
              <span className="soft">on {labelOf(browser.os)}</span>
            </Link>
            {browser.isActive ? <Badge tone="good">Active</Badge> : <Badge>Inactive</Badge>}
            <span className="soft small">
              <Moment seconds={browser.lastOnlineTimestamp} />
            </span>
          </>
        )}
      </Related>
      <Related
        title="Browser extensions"
        list="browserExtensions"
        search={{ employeeId: id }}
        none="No extensions"
      >
        {(extension) => <ExtensionRow extension={extension} />}
      </Related>
      <Related
        title="Unrecognized accounts"
        list="accountsOther"
        search={{ employeeId: id, sort: '-lastUsedTimestamp' }}
        none="No unrecognized accounts"
      >
        {(account) => (
          <>
            <Link to="/accounts-other/$id" params={{ id: account.id }} className="grow">
              {account.email}
            </Link>
            <span className="soft small">
              <Moment seconds={account.lastUsedTimestamp} />
            </span>
          </>
        )}
      </Related>
    </div>
  )
}
