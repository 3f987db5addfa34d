import type { Collection, RecordOf } from '@muster/contract/api/collection'
import { type ProductCategoryId, productCategories } from '@muster/contract/catalog/product-categories'
import { products } from '@muster/contract/catalog/products'
import type { ConsoleLoginMethod } from '@muster/contract/console/login-methods'
import { riskOf, worstCapability } from '@muster/contract/console/permission-risk'
import { type Account, accounts, type LoginMethods } from '@muster/contract/records/account'
import { apps } from '@muster/contract/records/app'
import { appsOther } from '@muster/contract/records/app-other'
import { type Browser, browsers } from '@muster/contract/records/browser'
import type { BrowserExtension } from '@muster/contract/records/browser-extension'
import { type Employee, employees } from '@muster/contract/records/employee'
import { reasonsOf } from '@muster/contract/risk/risk-rules'
import { findRecords } from '../../kernel/store/find-records.ts'
import type { Reader } from '../../kernel/store/sql.ts'
import { listCatalogProducts } from '../catalog/catalog-products.service.ts'
import { personName } from '../employees/employees.rules.ts'

type AnyRecord = Readonly<Record<string, unknown>>

/** Records that the rows of a page refer to, by ID. */
interface Related {
  readonly employees: ReadonlyMap<unknown, Employee>
  readonly browsers: ReadonlyMap<unknown, Browser>
  readonly accounts: ReadonlyMap<unknown, Account>
  readonly domains: ReadonlyMap<unknown, string>
  /** Names of apps, by type. */
  readonly apps: ReadonlyMap<unknown, string>
}

type Cell = (record: AnyRecord, related: Related) => unknown

const nameBy =
  (member: string): Cell =>
  (record, related) => {
    const person = related.employees.get(record[member])
    return person && personName(person)
  }

const emailBy =
  (member: string): Cell =>
  (record, related) =>
    related.employees.get(record[member])?.email

/** `GOOGLE_CHROME` → `Google chrome`, for values without a display name. */
const readable = (value: string): string =>
  value.charAt(0) + value.slice(1).toLowerCase().replaceAll('_', ' ')

/** `Chrome 142`. */
const browserText = (browser: Browser | undefined): string | undefined =>
  browser && `${readable(browser.browser)} ${browser.version.split('.')[0]}`

function loginMethodNames(methods: LoginMethods, { apps: names }: Related): string {
  const by = (provider: string | null, protocol: string) =>
    provider === null ? [] : [`${names.get(provider) ?? readable(provider)} (${protocol})`]
  return [
    ...(methods.passwordLogin ? ['Password'] : []),
    ...by(methods.oidcLogin, 'OpenID Connect'),
    ...by(methods.samlLogin, 'SAML'),
    ...(methods.oktaSwaLogin ? ['Okta SWA'] : []),
    ...by(methods.vendorSsoLogin, 'vendor single sign-on'),
    ...by(methods.fedCmLogin, 'FedCM'),
  ].join(', ')
}

/** Returns the host of a URL; a URL without a host, such as a data URL, is returned whole. */
const hostOrUrl = (url: unknown): string | null => {
  if (typeof url !== 'string') return null
  return (URL.canParse(url) && new URL(url).hostname) || url
}

const methodNames: Readonly<Record<ConsoleLoginMethod, string>> = {
  PASSWORD: 'Password',
  OIDC: 'OpenID Connect',
  SAML: 'SAML',
  OKTA_SWA: 'Okta SWA',
  VENDOR_SSO: 'Vendor single sign-on',
  FEDCM: 'FedCM',
}

/** Computed columns of `csv-columns.ts` in the contract, except for times. */
const cells: Readonly<Record<string, Cell>> = {
  name: (record) => personName(record as Employee),
  employeeName: nameBy('employeeId'),
  employeeEmail: emailBy('employeeId'),
  ownerName: nameBy('ownerId'),
  ownerEmail: emailBy('ownerId'),
  mergedIntoName: nameBy('mergedIntoId'),
  mergedIntoEmail: emailBy('mergedIntoId'),
  appName: ({ appType }, related) => related.apps.get(appType) ?? appType,
  otherAppDomain: ({ otherAppId }, related) => related.domains.get(otherAppId),
  browserName: (record, related) =>
    browserText('browserId' in record ? related.browsers.get(record.browserId) : (record as Browser)),
  accountEmail: ({ accountId }, related) => related.accounts.get(accountId)?.email,
  loginMethodNames: ({ loginMethods }, related) => loginMethodNames(loginMethods as LoginMethods, related),
  risk: (record) => riskOf(record as BrowserExtension),
  mainCapability: (record) => {
    const { hostPermissions, permissions } = record as BrowserExtension
    return worstCapability([...hostPermissions, ...permissions])
  },
  host: ({ url }) => hostOrUrl(url),
  priorityReasonTexts: ({ priorityReasons }) => reasonsOf(priorityReasons as string[]).join('; '),
  categoryName: ({ category }) =>
    category === null ? null : productCategories[category as ProductCategoryId].name,
  signInMethodNames: ({ signInMethods }) =>
    (signInMethods as ConsoleLoginMethod[]).map((method) => methodNames[method]).join(', '),
}

/** Returns UNIX seconds as ISO 8601 with Z; null for null and for invalid times. */
function isoTime(seconds: unknown): string | null {
  if (typeof seconds !== 'number') return null
  const time = new Date(seconds * 1000)
  return Number.isNaN(time.getTime()) ? null : time.toISOString().replace('.000Z', 'Z')
}

/** Members with IDs of related records, and the columns that need these records. */
const relations: Readonly<Record<string, RegExp>> = {
  employeeId: /^employee(Name|Email)$/,
  ownerId: /^owner(Name|Email)$/,
  mergedIntoId: /^mergedInto(Name|Email)$/,
  browserId: /^browserName$/,
  accountId: /^accountEmail$/,
  otherAppId: /^otherAppDomain$/,
  appType: /^appName$/,
}

/**
 * Creates the rows of a CSV file from records, a page at a time. Related records are read once per page, so the cost
 * does not grow with each row.
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
  const needed = Object.keys(relations).filter((member) =>
    columns.some((name) => relations[member]?.test(name)),
  )

  return async (records) => {
    const idsOf = (...candidates: string[]) => {
      const wanted = candidates.filter((member) => needed.includes(member))
      const ids = records.flatMap((record) => wanted.map((member) => record[member]))
      return [...new Set(ids.filter((id) => typeof id === 'string'))]
    }
    const byId = async <C extends Collection>(collection: C, ids: readonly string[]) => {
      const found = await findRecords(db, collection, org, 'id', ids)
      return new Map(
        found.map((record): [unknown, RecordOf<C>] => [(record as unknown as { id: string }).id, record]),
      )
    }
    const domains = await byId(appsOther, idsOf('otherAppId'))
    const knownApps = await findRecords(db, apps, org, 'type', idsOf('appType'))
    const related: Related = {
      employees: await byId(employees, idsOf('employeeId', 'ownerId', 'mergedIntoId')),
      browsers: await byId(browsers, idsOf('browserId')),
      accounts: await byId(accounts, idsOf('accountId')),
      domains: new Map([...domains].map(([id, { domain }]) => [id, domain])),
      apps: new Map([
        ...catalog,
        ...knownApps.map(({ type, friendlyName }) => [type, friendlyName] as const),
      ]),
    }
    return records.map((record) =>
      columns.map((name) => {
        const cell = name in record ? undefined : cells[name]
        if (cell) return cell(record, related)
        return name in record ? record[name] : isoTime(record[`${name}stamp`])
      }),
    )
  }
}
