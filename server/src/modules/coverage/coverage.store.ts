import {
  type ContactPeriod,
  contactPeriodNames,
  contactPeriods,
} from '@muster/contract/console/rollout/coverage-figures'
import { memberValue } from '../../kernel/store/member-text.ts'
import type { Reader } from '../../kernel/store/sql.ts'
import type { VersionCount } from './coverage.rules.ts'

const daySeconds = 86_400

/** Rows per statement, to let other reads of the thread run in between. */
const chunkRows = 20_000

/** Counts the browsers by the time since their last contact. */
export async function countContacts(
  db: Reader,
  org: number,
  nowSeconds: number,
): Promise<{ period: ContactPeriod; browsers: number }[]> {
  const index = db.dialect.indexedBy('browsers_by_last_online_timestamp')
  const counts = []
  for (const period of contactPeriodNames) {
    const [from, to] = contactPeriods[period]
    const after = to === Number.POSITIVE_INFINITY ? 0 : nowSeconds - to * daySeconds
    // Contacts in the last seconds may be later than `nowSeconds`.
    const before = from === 0 ? Number.MAX_SAFE_INTEGER : nowSeconds - from * daySeconds
    const sql = `SELECT count(*) AS browsers FROM browsers${index}
      WHERE org = ? AND last_online_timestamp >= ? AND last_online_timestamp < ?`
    const row = await db.get<{ browsers: number }>(sql, [org, after, before])
    counts.push({ period, browsers: row?.browsers ?? 0 })
  }
  return counts
}

/** Licensed employees of a group, and those of them with an active browser. */
export interface GroupCoverage {
  readonly name: string
  readonly licensed: number
  readonly covered: number
}

/** Returns the coverage of the largest groups. */
export const coverageOfGroups = (db: Reader, org: number, maximum: number): Promise<GroupCoverage[]> => {
  const { dialect } = db
  const hasBrowser = `EXISTS (SELECT 1 FROM browsers b${dialect.indexedBy('browsers_active_employee')}
    WHERE b.org = e.org AND b.employee_id = e.id AND b.is_active = 1)`
  return db.all<GroupCoverage>(
    `SELECT g.value AS name, count(*) AS licensed, sum(CASE WHEN ${hasBrowser} THEN 1 ELSE 0 END) AS covered
     FROM employees e JOIN employees_groups g ON g.org = e.org AND g.seq = e.seq
     WHERE e.org = ? AND e.licensed = 1 AND e.unlisted = 0
     GROUP BY g.value ORDER BY 2 DESC, 1 LIMIT ${maximum}`,
    [org],
  )
}

/** Counts the active browsers by kind and versions, in chunks. */
export async function countVersions(db: Reader, org: number): Promise<VersionCount[]> {
  const { dialect } = db
  const source = `SELECT seq, browser, record FROM browsers${dialect.indexedBy('browsers_by_is_active')}
    WHERE org = ? AND is_active = 1 AND seq > ? ORDER BY seq LIMIT ${chunkRows}`
  const sql = `SELECT t.browser AS browser, ${memberValue(dialect, 'version')} AS version,
      ${memberValue(dialect, 'extensionVersion')} AS agent, count(*) AS browsers, max(t.seq) AS last
    FROM (${source}) AS t GROUP BY 1, 2, 3`
  const counts: VersionCount[] = []
  for (let after = 0; ; ) {
    const rows = await db.all<VersionCount & { last: number }>(sql, [org, after])
    if (rows.length === 0) return counts
    counts.push(...rows)
    after = Math.max(...rows.map(({ last }) => last))
  }
}
