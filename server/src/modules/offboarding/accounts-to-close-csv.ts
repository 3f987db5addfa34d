import type { AccountToClose } from '@muster/contract/console/people/console-offboarding'
import { csvLine } from '../lists/csv.rules.ts'

const columns = ['app', 'account', 'lastUsed', 'singleSignOnOnly', 'otherUsers', 'website', 'passwordPage']

/** Returns the accounts to close as a CSV file, in parts. */
export async function* accountsCsv(pages: AsyncIterable<readonly AccountToClose[]>): AsyncGenerator<string> {
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
