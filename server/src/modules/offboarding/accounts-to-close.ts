import type { Collection } from '@muster/contract/api/collection'
import type { AccountToClose } from '@muster/contract/console/people/console-offboarding'
import { type Account, accounts, type LoginMethods } from '@muster/contract/records/account'
import { type AccountOther, accountsOther } from '@muster/contract/records/account-other'
import { apps } from '@muster/contract/records/app'
import { appsOther } from '@muster/contract/records/app-other'
import { scanInCreationOrder } from '../../kernel/query/sorted-list.ts'
import { findRecords } from '../../kernel/store/find-records.ts'
import type { Db } from '../../kernel/store/sql.ts'
import { passwordPage } from '../apps/password-page.rules.ts'
import { orgCatalog } from '../catalog/org-catalog.ts'
import { accountsOfOthersUsedBy, countOtherUsers } from './account-users.service.ts'

const pageSize = 250

/**
 * Returns the accounts to close when an employee leaves, in parts: the employee's own, then those of others that the employee
 * uses, then those in apps outside the catalog, each oldest first.
 */
export async function* accountsToClose(
  db: Db,
  org: number,
  employeeId: string,
): AsyncGenerator<readonly AccountToClose[]> {
  const catalog = await orgCatalog(db, org)
  const viewsOf = async (page: readonly Account[]): Promise<AccountToClose[]> => {
    const ids = page.map(({ id }) => id)
    const others = await countOtherUsers(db.slow, org, ids, employeeId)
    const appIds = page.map(({ appId }) => appId)
    const byId = new Map((await findRecords(db.slow, apps, org, 'id', appIds)).map((app) => [app.id, app]))
    return page.map((account) => {
      const app = byId.get(account.appId)
      const link = app && passwordPage(app, catalog)
      return {
        kind: 'ACCOUNT',
        ...shared(account),
        app: app?.friendlyName ?? account.appType,
        otherUsers: others.get(account.id) ?? 0,
        url: httpsOnly(app?.website),
        passwordUrl: link?.changesPassword ? link.url : null,
      }
    })
  }
  const ofEmployee = <R>(collection: Collection) => recordsOfEmployee<R>(db, collection, org, employeeId)

  for await (const page of ofEmployee<Account>(accounts)) yield viewsOf(page)
  for await (const page of accountsOfOthersUsedBy(db.slow, org, employeeId)) yield viewsOf(page)
  for await (const page of ofEmployee<AccountOther>(accountsOther)) {
    const ids = page.map(({ otherAppId }) => otherAppId)
    const domains = new Map(
      (await findRecords(db.slow, appsOther, org, 'id', ids)).map(({ id, domain }) => [id, domain]),
    )
    yield page.map((account) => {
      const domain = domains.get(account.otherAppId)
      return {
        kind: 'ACCOUNT_OTHER',
        ...shared(account),
        app: domain ?? account.otherAppId,
        otherUsers: 0,
        url: domain === undefined ? null : httpsOnly(`https://${domain}`),
        passwordUrl: null,
      }
    })
  }
}

/** Returns the visible records of an employee in a collection that has a filter by employee, in parts. */
export async function* recordsOfEmployee<R>(
  db: Db,
  collection: Collection,
  org: number,
  employeeId: string,
): AsyncGenerator<readonly R[]> {
  const sort = { member: 'creationTimestamp', descending: false }
  const request = { collection, org, filters: { employeeId }, sort }
  for await (const texts of scanInCreationOrder(db, request, pageSize))
    if (texts.length > 0) yield texts.map((text) => JSON.parse(text) as R)
}

const shared = ({ id, email, lastUsedTimestamp, loginMethods }: Account | AccountOther) => ({
  id,
  email,
  lastUsedTimestamp,
  singleSignOnOnly: isSingleSignOnOnly(loginMethods),
})

const isSingleSignOnOnly = ({ passwordLogin, oktaSwaLogin, ...methods }: LoginMethods): boolean =>
  !passwordLogin &&
  !oktaSwaLogin &&
  [methods.oidcLogin, methods.samlLogin, methods.vendorSsoLogin, methods.fedCmLogin].some((by) => by !== null)

const httpsOnly = (address: string | undefined): string | null =>
  address !== undefined && URL.parse(address)?.protocol === 'https:' ? address : null
