import {
  type AccountToClose,
  accountsToCloseMaximum,
  type Offboarding,
  ownedAppsMaximum,
} from '@muster/contract/console/people/console-offboarding'
import { apps } from '@muster/contract/records/app'
import { type Browser, browsers } from '@muster/contract/records/browser'
import { findings } from '@muster/contract/records/finding'
import { foldCase } from '../../kernel/lib/fold-case.ts'
import { countList } from '../../kernel/query/count-list.ts'
import { findRecords } from '../../kernel/store/find-records.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { findAdministratorByEmail } from '../administrators/administrators.service.ts'
import { countUnusedLinks } from '../agents/enrollment-links.service.ts'
import { listActiveApiKeys } from '../api-keys/api-keys.service.ts'
import { browsersWithCredential } from '../browsers/browser-credentials.service.ts'
import { readPerson } from '../employees/find-person.ts'
import { accountsToClose, recordsOfEmployee } from './accounts-to-close.ts'

/**
 * Returns the effects of offboarding an employee, and the accounts to close.
 *
 * @throws ApiError not_found, or conflict if the employee is merged into another
 */
export async function offboardingPreview(
  db: Db,
  org: number,
  employeeId: string,
  nowSeconds: number,
): Promise<Offboarding> {
  const person = await readPerson(db, org, employeeId)
  const [employee] = person
  const ids = person.map(({ id }) => id)
  const addresses = [employee.email, ...employee.secondaryEmails].map(foldCase)
  const administrators = await Promise.all(
    addresses.map((address) => findAdministratorByEmail(db, org, address)),
  )
  const keys = await listActiveApiKeys(db, nowSeconds, org)
  const ownedApps = await findRecords(db.slow, apps, org, 'ownerId', ids)
  const open = { employeeId, state: 'OPEN' }
  const openFindings = await countList(db, { collection: findings, org, filters: open })
  const { list, more } = await firstAccounts(db, org, employeeId)
  return {
    licensed: employee.licensed,
    browsers: await countBrowsers(db, org, employeeId),
    enrollmentLinks: await countUnusedLinks(db, org, ids, nowSeconds),
    accounts: list,
    moreAccounts: more,
    ownedApps: ownedApps
      .slice(0, ownedAppsMaximum)
      .map(({ id, friendlyName }) => ({ id, name: friendlyName })),
    administrator: administrators.some((found) => found !== undefined),
    apiKeys: keys.filter(({ holder }) => addresses.includes(foldCase(holder))).length,
    openFindings: openFindings.count,
  }
}

async function countBrowsers(db: Db, org: number, employeeId: string): Promise<number> {
  let count = 0
  for await (const page of recordsOfEmployee<Browser>(db, browsers, org, employeeId)) {
    const ids = page.map(({ id }) => id)
    count += (await browsersWithCredential(db, org, ids)).length
  }
  return count
}

async function firstAccounts(
  db: Db,
  org: number,
  employeeId: string,
): Promise<{ list: AccountToClose[]; more: boolean }> {
  const list: AccountToClose[] = []
  for await (const page of accountsToClose(db, org, employeeId)) {
    list.push(...page)
    if (list.length > accountsToCloseMaximum) break
  }
  return { list: list.slice(0, accountsToCloseMaximum), more: list.length > accountsToCloseMaximum }
}
