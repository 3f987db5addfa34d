import type { ControlScope } from '@muster/contract/console/console-controls'
import { type App, apps } from '@muster/contract/records/app'
import type { Banner } from '@muster/contract/records/controls'
import { scanRecords } from '../../kernel/store/scan-records.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { bannersFor } from '../agents/policy.rules.ts'

const anyEmployee = { id: '', groups: [] }

/** Returns the number of an organization's apps in a scope, by the same rule as the policy of browsers. */
export async function countReachedApps(db: Db, org: number, scope: ControlScope): Promise<number> {
  const { appTypes, approvalStatuses, sensitivityLevels, labels } = scope
  const banner: Banner = {
    id: 'preview',
    ...(appTypes && { appTypes }),
    ...(approvalStatuses && { approvalStatuses }),
    ...(sensitivityLevels && { sensitivityLevels }),
    ...(labels && { labels }),
    mode: 'INFORM',
    title: '',
    subtext: '',
    buttonText: null,
  }
  let count = 0
  for await (const texts of scanRecords(db.slow, apps, org)) {
    const records = texts.map((text) => JSON.parse(text) as App)
    const banners = bannersFor([banner], { apps: records, otherDomains: [] }, anyEmployee)
    count += banners.filter(({ appType }) => appType !== null).length
  }
  return count
}
