import { defaultOrganization } from '../../kernel/organizations/organizations.ts'
import type { Reader, Tx } from '../../kernel/store/sql.ts'

/** Steps that are done, read from the data of the organization; 1 if done. */
export interface DoneSteps {
  readonly organization: number
  readonly employees: number
  readonly browser: number
  readonly webhook: number
}

const anyOf = (table: string, name: string, condition = ''): string =>
  `CASE WHEN EXISTS (SELECT 1 FROM ${table} r WHERE r.org = o.no${condition}) THEN 1 ELSE 0 END AS ${name}`

/** Returns the steps that an organization has done. */
export const doneSteps = (db: Reader, org: number): Promise<DoneSteps | undefined> =>
  db.get<DoneSteps>(
    `SELECT CASE WHEN o.name <> ? THEN 1 ELSE 0 END AS organization, ${anyOf('employees', 'employees')},
       ${anyOf('browsers', 'browser')}, ${anyOf('webhooks', 'webhook', " AND r.kind = 'WEBHOOK'")}
     FROM organizations o WHERE o.no = ?`,
    [defaultOrganization, org],
  )

/** Returns true if an administrator has dismissed the checklist. */
export async function isDismissed(db: Reader, org: number, administratorId: string): Promise<boolean> {
  const row = await db.get<{ dismissed: number | null }>(
    'SELECT checklist_dismissed_timestamp AS dismissed FROM administrators WHERE org = ? AND id = ?',
    [org, administratorId],
  )
  return row?.dismissed != null
}

export const dismiss = (tx: Tx, org: number, administratorId: string, nowSeconds: number): Promise<unknown> =>
  tx.run('UPDATE administrators SET checklist_dismissed_timestamp = ? WHERE org = ? AND id = ?', [
    nowSeconds,
    org,
    administratorId,
  ])
