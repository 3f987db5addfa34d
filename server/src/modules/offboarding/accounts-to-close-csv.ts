import type { AccountToClose } from '@muster/contract/console/people/console-offboarding'
import type { By } from '../../kernel/actions/audit-record-changes.ts'
import { recordAudit } from '../../kernel/events/audit-trail.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { primaryEmployee } from '../employees/find-person.ts'
import { csvLine } from '../lists/csv.rules.ts'
import { accountsToClose } from './accounts-to-close.ts'

const columns = ['app', 'account', 'lastUsed', 'singleSignOnOnly', 'otherUsers', 'website', 'passwordPage']

/**
 * Returns the accounts to close as a CSV file, in parts. The export is audited before the first part: a partial file is an
 * export, too.
 *
 * @throws ApiError not_found, or conflict if the employee is merged into another
 */
export async function exportAccountsToClose(
  db: Db,
  org: number,
  employeeId: string,
  by: By,
): Promise<AsyncGenerator<string>> {
  await primaryEmployee(db, org, employeeId)
  const facts = { what: `accounts of employee ${employeeId}`, format: 'CSV', count: 0 } as const
  await db.inTransaction((tx) => recordAudit(tx, org, 'DATA_EXPORTED', { ...by, new: facts }))
  return csvOf(accountsToClose(db, org, employeeId))
}

async function* csvOf(pages: AsyncIterable<readonly AccountToClose[]>): AsyncGenerator<string> {
  yield csvLine(columns)
  for await (const page of pages) if (page.length > 0) yield page.map(lineOf).join('')
}

const lineOf = (account: AccountToClose): string =>
  csvLine([
    account.app,
    account.email,
    account.lastUsedTimestamp === null ? '' : new Date(account.lastUsedTimestamp * 1000).toISOString(),
    account.singleSignOnOnly,
    account.otherUsers,
    account.url,
    account.passwordUrl,
  ])
