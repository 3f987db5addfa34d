import type { Collection } from '@muster/contract/api/collection'
import { type Overview, overviewWeeks } from '@muster/contract/console/console-overview'
import { accounts } from '@muster/contract/records/account'
import { apps } from '@muster/contract/records/app'
import { appsOther } from '@muster/contract/records/app-other'
import { blockedUrls } from '@muster/contract/records/blocked-url'
import { browsers } from '@muster/contract/records/browser'
import { browserExtensions } from '@muster/contract/records/browser-extension'
import { detections, severities } from '@muster/contract/records/detection'
import { employees } from '@muster/contract/records/employee'
import { findings, findingTypes } from '@muster/contract/records/finding'
import { facetCounter } from '../../kernel/query/facet-filters.ts'
import { countRecords } from '../../kernel/store/count.ts'
import type { Reader } from '../../kernel/store/sql.ts'
import { countCovered, countCreated } from './overview-counts.service.ts'

const daySeconds = 86_400
const weekSeconds = 7 * daySeconds
/** The first Monday after the UNIX epoch is its fifth day. */
const firstMonday = 4 * daySeconds

/** Returns the starts of the last `weeks` weeks, oldest first, including the current one, and the end of that. */
export function weekBounds(nowSeconds: number, weeks: number): number[] {
  const current = nowSeconds - ((nowSeconds - firstMonday) % weekSeconds)
  return Array.from({ length: weeks + 1 }, (_, at) => current + (at - weeks + 1) * weekSeconds)
}

/** Computes the overview with many small reads, so other requests run in between. */
export async function computeOverview(db: Reader, org: number, nowSeconds: number): Promise<Overview> {
  const bounds = weekBounds(nowSeconds, overviewWeeks)
  const all = (collection: Collection) => countRecords(db, collection, org)
  const count = facetCounter(db, org)
  const findingCounts: Overview['findings'] = []
  for (const type of findingTypes) {
    findingCounts.push({
      type,
      open: await count(findings, { type, state: 'OPEN' }),
      opened: await countCreated(db, findings, org, bounds, { member: 'type', value: type }),
    })
  }
  const detectionCounts: Overview['detections'] = []
  for (const severity of severities.toReversed()) {
    detectionCounts.push({
      severity,
      waiting: await count(detections, { severity, archived: false }),
      happened: await countCreated(db, detections, org, bounds, { member: 'severity', value: severity }),
    })
  }
  return {
    asOfTimestamp: nowSeconds,
    weekTimestamps: bounds.slice(0, -1),
    totals: {
      employees: await all(employees),
      accounts: await all(accounts),
      apps: await all(apps),
      appsOther: await all(appsOther),
      activeBrowsers: await count(browsers, { isActive: true }),
      browserExtensions: await all(browserExtensions),
      blockedUrls: await all(blockedUrls),
    },
    findings: findingCounts,
    detections: detectionCounts,
    discovered: {
      apps: await countCreated(db, apps, org, bounds),
      appsOther: await countCreated(db, appsOther, org, bounds),
    },
    coverage: await countCovered(db, org),
    passwords: { accounts: await count(accounts, { passwordSeen: true }) },
    mfa: {
      registered: await count(accounts, { mfa: 'REGISTERED' }),
      missing: await count(accounts, { mfa: 'NOT_REGISTERED' }),
      unknown: await count(accounts, { mfa: 'UNKNOWN' }),
    },
  }
}
