import { exampleOf, type JsonSchema } from '@muster/contract/api/json-schema'
import { Account, LoginMethods } from '@muster/contract/records/account'
import { App } from '@muster/contract/records/app'
import { AppOther } from '@muster/contract/records/app-other'
import { Browser } from '@muster/contract/records/browser'
import { BrowserExtension } from '@muster/contract/records/browser-extension'
import { Finding } from '@muster/contract/records/finding'
import { newId } from '../../server/src/kernel/lib/secrets/id.ts'
import { consoleRecords } from './console-records.ts'

const nowSeconds = Math.floor(Date.now() / 1000)

/** Returns the contract's example of a record with a new ID. */
const madeOf = <T>(schema: unknown, members: Partial<T>): T => ({
  ...(exampleOf(schema as JsonSchema) as T),
  id: newId(nowSeconds * 1000),
  creationTimestamp: nowSeconds - 86_400,
  ...members,
})

/** Permissions of three extensions. */
const extensions = [
  {
    extensionId: 'a'.repeat(32),
    name: 'Cookie Monster',
    permissions: ['cookies', 'storage'],
    hostPermissions: ['<all_urls>'],
  },
  { extensionId: 'b'.repeat(32), name: 'Tab Tidy', permissions: ['tabs'], hostPermissions: [] },
  { extensionId: 'c'.repeat(32), name: 'Plain Clock', permissions: ['storage'], hostPermissions: [] },
]

/**
 * Returns a small consistent inventory: twelve employees, of whom Ada Byron has an account with a weak password, a
 * detection, and a browser with three extensions. Grace Byron has the first of the extensions, too.
 */
export function inventoryRecords() {
  const known = consoleRecords()
  const employees = known.employees.slice(0, 12)
  const [ada, grace] = employees
  if (!ada || !grace) throw new Error('there are no employees')
  const apps = [
    ['ZAPIER', 'Zapier'],
    ['SLACK', 'Slack'],
    ['NOTION', 'Notion'],
  ].map(([type = '', friendlyName = '']) =>
    madeOf<App>(App, {
      type,
      friendlyName,
      approvalStatus: null,
      sensitivityLevel: null,
      ownerId: null,
      notes: '',
      labels: [],
      website: `https://${friendlyName.toLowerCase()}.example`,
    }),
  )
  const [zapier] = apps
  if (!zapier) throw new Error('there are no apps')
  const loginMethods: LoginMethods = {
    ...(exampleOf(LoginMethods as JsonSchema) as LoginMethods),
    passwordLogin: true,
    oidcLogin: 'GOOGLE_WORKSPACE',
    samlLogin: null,
    vendorSsoLogin: null,
  }
  const accounts = [ada, grace].map(({ id, email }) =>
    madeOf<Account>(Account, { employeeId: id, email, appType: 'ZAPIER', appId: zapier.id, loginMethods }),
  )
  const findings = accounts.slice(0, 1).map(({ id: accountId, passwordId }) =>
    madeOf<Finding>(Finding, {
      type: 'WEAK_PASSWORD',
      state: 'OPEN',
      employeeId: ada.id,
      accountId,
      passwordId,
      appType: 'ZAPIER',
      appId: zapier.id,
      lastUpdatedTimestamp: nowSeconds - 3000,
    }),
  )
  const browsers = [ada, grace].map(({ id, email }) =>
    madeOf<Browser>(Browser, { employeeId: id, email, isActive: true, lastOnlineTimestamp: nowSeconds - 60 }),
  )
  const browserExtensions = browsers.flatMap(({ id: browserId, employeeId }, place) =>
    extensions
      .slice(0, place === 0 ? 3 : 1)
      .map((extension) =>
        madeOf<BrowserExtension>(BrowserExtension, { ...extension, browserId, employeeId, enabled: true }),
      ),
  )
  const detections = known.detections
    .slice(0, 1)
    .map((detection) => ({ ...detection, browserId: browsers[0]?.id ?? null }))
  const appsOther = [madeOf<AppOther>(AppOther, { domain: 'intranet.example.com' })]
  return { employees, apps, appsOther, accounts, findings, browsers, browserExtensions, detections }
}
