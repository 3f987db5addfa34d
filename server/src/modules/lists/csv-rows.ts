import { type Account, accounts, type LoginMethods } from '@muster/contract/account'
import { apps } from '@muster/contract/app'
import { appsOther } from '@muster/contract/app-other'
import { type Browser, browsers } from '@muster/contract/browser'
import type { BrowserExtension } from '@muster/contract/browser-extension'
import { products } from '@muster/contract/catalog/products'
import type { Collection, RecordOf } from '@muster/contract/collection'
import { riskOf, worstCapability } from '@muster/contract/console/permission-risk'
import { type Employee, employees } from '@muster/contract/employee'
import { findRecords } from '../../kernel/store/find-records.ts'
import type { Reader } from '../../kernel/store/sql.ts'
import { listCatalogProducts } from '../catalog/catalog-products.service.ts'

type AnyRecord = Readonly<Record<string, unknown>>

/** Records that the rows of a page name, by their ids. */
interface Named {
  readonly employees: ReadonlyMap<unknown, Employee>
  readonly browsers: ReadonlyMap<unknown, Browser>
  readonly accounts: ReadonlyMap<unknown, Account>
  readonly domains: ReadonlyMap<unknown, string>
  /** Names of apps by type. */
  readonly apps: ReadonlyMap<unknown, string>
}

type Cell = (record: AnyRecord, named: Named) => unknown

const personName = (person: Employee | undefined): string | undefined =>
  person && ([person.firstName, person.lastName].filter(Boolean).join(' ') || person.email)

const nameBy =
  (member: string): Cell =>
  (record, named) =>
    personName(named.employees.get(record[member]))

const emailBy =
  (member: string): Cell =>
  (record, named) =>
    named.employees.get(record[member])?.email

/** `GOOGLE_CHROME` → `Google chrome`, for what has no name of its own. */
const words = (value: string): string => value.charAt(0) + value.slice(1).toLowerCase().replaceAll('_', ' ')

/** `Chrome 142`. */
const browserText = (browser: Browser | undefined): string | undefined =>
  browser && `${words(browser.browser)} ${browser.version.split('.')[0]}`

function loginMethodNames(methods: LoginMethods, { apps: names }: Named): string {
  const by = (provider: string | null, way: string) =>
    provider === null ? [] : [`${names.get(provider) ?? words(provider)} (${way})`]
  return [
    ...(methods.passwordLogin ? ['Password'] : []),
    ...by(methods.oidcLogin, 'OpenID Connect'),
    ...by(methods.samlLogin, 'SAML'),
    ...(methods.oktaSwaLogin ? ['Okta SWA'] : []),
    ...by(methods.vendorSsoLogin, 'vendor single sign-on'),
    ...by(methods.fedCmLogin, 'FedCM'),
  ].join(', ')
}

/** An address without a host, such as one of a data URL, is shown as it is. */
const hostOf = (url: unknown): string | null => {
  if (typeof url !== 'string') return null
  return (URL.canParse(url) && new URL(url).hostname) || url
}

/** The columns of `csv-columns.ts` in the contract that are no members, but for the times. */
const cells: Readonly<Record<string, Cell>> = {
  name: (record) => personName(record as Employee),
  employeeName: nameBy('employeeId'),
  employeeEmail: emailBy('employeeId'),
  ownerName: nameBy('ownerId'),
  ownerEmail: emailBy('ownerId'),
  mergedIntoName: nameBy('mergedIntoId'),
  mergedIntoEmail: emailBy('mergedIntoId'),
  appName: ({ appType }, named) => named.apps.get(appType) ?? appType,
  otherAppDomain: ({ otherAppId }, named) => named.domains.get(otherAppId),
  browserName: (record, named) =>
    browserText('browserId' in record ? named.browsers.get(record.browserId) : (record as Browser)),
  accountEmail: ({ accountId }, named) => named.accounts.get(accountId)?.email,
  loginMethodNames: ({ loginMethods }, named) => loginMethodNames(loginMethods as LoginMethods, named),
  risk: (record) => riskOf(record as BrowserExtension),
  mainCapability: (record) => {
    const { hostPermissions, permissions } = record as BrowserExtension
    return worstCapability([...hostPermissions, ...permissions])
  },
  host: ({ url }) => hostOf(url),
}

/** Returns UNIX seconds as ISO 8601 with Z; nothing for null and for what is no time. */
function isoTime(seconds: unknown): string | null {
  if (typeof seconds !== 'number') return null
  const time = new Date(seconds * 1000)
  return Number.isNaN(time.getTime()) ? null : time.toISOString().replace('.000Z', 'Z')
}

/** Members that name records, and the columns that need them. */
const needs: Readonly<Record<string, RegExp>> = {
  employeeId: /^employee(Name|Email)$/,
  ownerId: /^owner(Name|Email)$/,
  mergedIntoId: /^mergedInto(Name|Email)$/,
  browserId: /^browserName$/,
  accountId: /^accountEmail$/,
  otherAppId: /^otherAppDomain$/,
  appType: /^appName$/,
}

/**
 * Makes the rows of a CSV file from records, a page at a time. The names of a page's employees, browsers, accounts and apps
 * are read at once, so that a file costs a few look-ups for each page and not for each row.
 */
export async function csvRows(
  db: Reader,
  org: number,
  columns: readonly string[],
): Promise<(records: readonly AnyRecord[]) => Promise<unknown[][]>> {
  const ownProducts = columns.some((name) => name === 'appName' || name === 'loginMethodNames')
    ? await listCatalogProducts(db, org)
    : []
  const catalog = new Map(
    [...products, ...ownProducts].map(({ appType, friendlyName }) => [appType, friendlyName]),
  )
  const needed = Object.keys(needs).filter((member) => columns.some((name) => needs[member]?.test(name)))

  return async (records) => {
    const idsOf = (...members: string[]) => {
      const wanted = members.filter((member) => needed.includes(member))
      const ids = records.flatMap((record) => wanted.map((member) => record[member]))
      return [...new Set(ids.filter((id) => typeof id === 'string'))]
    }
    const byId = async <C extends Collection>(collection: C, ids: readonly string[]) => {
      const found = await findRecords(db, collection, org, 'id', ids)
      return new Map(
        found.map((record): [unknown, RecordOf<C>] => [(record as unknown as { id: string }).id, record]),
      )
    }
    const others = await byId(appsOther, idsOf('otherAppId'))
    const known = await findRecords(db, apps, org, 'type', idsOf('appType'))
    const named: Named = {
      employees: await byId(employees, idsOf('employeeId', 'ownerId', 'mergedIntoId')),
      browsers: await byId(browsers, idsOf('browserId')),
      accounts: await byId(accounts, idsOf('accountId')),
      domains: new Map([...others].map(([id, { domain }]) => [id, domain])),
      apps: new Map([...catalog, ...known.map(({ type, friendlyName }) => [type, friendlyName] as const)]),
    }
    return records.map((record) =>
      columns.map((name) => {
        const cell = name in record ? undefined : cells[name]
        if (cell) return cell(record, named)
        return name in record ? record[name] : isoTime(record[`${name}stamp`])
      }),
    )
  }
}
