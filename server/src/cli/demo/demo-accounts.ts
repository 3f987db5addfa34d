import type { Account, LoginMethods } from '@muster/contract/account'
import { mfaMethods } from '@muster/contract/account'
import type { AccountOther } from '@muster/contract/account-other'
import type { App } from '@muster/contract/app'
import type { AppOther } from '@muster/contract/app-other'
import type { Employee } from '@muster/contract/employee'
import { demoApps } from './app-catalogue.ts'
import { likelihood } from './demo-apps.ts'
import { byCreation, type DemoWorld, daySeconds, demoDomain } from './demo-world.ts'

/** A user of an account, as files hold it. */
export interface DemoUse {
  readonly accountId: string
  readonly employeeId: string
  readonly lastUsedTimestamp: number
  readonly passwordManuallyTyped: boolean | null
}

/** Accounts and who uses them. */
export interface DemoAccounts {
  readonly accounts: readonly Account[]
  readonly uses: readonly DemoUse[]
}

/** No login seen yet. */
const noLogins: LoginMethods = {
  passwordLogin: false,
  lastPasswordLoginTimestamp: null,
  oidcLogin: null,
  lastOidcLoginTimestamp: null,
  samlLogin: null,
  lastSamlLoginTimestamp: null,
  oktaSwaLogin: false,
  lastOktaSwaLoginTimestamp: null,
  vendorSsoLogin: null,
  lastVendorSsoLoginTimestamp: null,
  fedCmLogin: null,
  lastFedCmLoginTimestamp: null,
}

/** How people sign in, as often as the weight says. */
const ways: readonly { weight: number; logins(at: number): Partial<LoginMethods> }[] = [
  { weight: 38, logins: (at) => ({ passwordLogin: true, lastPasswordLoginTimestamp: at }) },
  { weight: 26, logins: (at) => ({ oidcLogin: 'GOOGLE_WORKSPACE', lastOidcLoginTimestamp: at }) },
  { weight: 14, logins: (at) => ({ samlLogin: 'OKTA', lastSamlLoginTimestamp: at }) },
  { weight: 6, logins: (at) => ({ oidcLogin: 'MICROSOFT', lastOidcLoginTimestamp: at }) },
  { weight: 6, logins: (at) => ({ oktaSwaLogin: true, lastOktaSwaLoginTimestamp: at }) },
  { weight: 4, logins: (at) => ({ vendorSsoLogin: 'ATLASSIAN', lastVendorSsoLoginTimestamp: at }) },
  { weight: 2, logins: (at) => ({ fedCmLogin: 'GOOGLE_WORKSPACE', lastFedCmLoginTimestamp: at }) },
  {
    weight: 4,
    logins: (at) => ({
      passwordLogin: true,
      lastPasswordLoginTimestamp: at - 40 * daySeconds,
      oidcLogin: 'GOOGLE_WORKSPACE',
      lastOidcLoginTimestamp: at,
    }),
  },
]

const loginsAt = ({ random }: DemoWorld, lastUsed: number): LoginMethods => ({
  ...noLogins,
  ...random.weighted(ways).logins(lastUsed),
})

/** The accounts of people on apps of the catalogue, and accounts that several people share. */
export function demoAccounts(
  world: DemoWorld,
  people: readonly Employee[],
  apps: ReadonlyMap<string, App>,
): DemoAccounts {
  const uses: DemoUse[] = []
  const accounts: Account[] = []
  for (const person of people.filter(({ mergedIntoId }) => mergedIntoId === null)) {
    const usual = world.idAt(person.creationTimestamp)
    for (const demoApp of demoApps) {
      const app = apps.get(demoApp.type)
      if (!app || !world.random.chance(likelihood(demoApp, person.department))) continue
      accounts.push(accountOf(world, person, app, usual, uses))
    }
  }
  return { accounts: byCreation([...accounts, ...sharedAccounts(world, people, apps, uses)]), uses }
}

function accountOf(
  world: DemoWorld,
  person: Employee,
  app: App,
  usualPassword: string,
  uses: DemoUse[],
): Account {
  const { random, nowSeconds } = world
  const creationTimestamp = world.between(
    Math.max(person.creationTimestamp, app.creationTimestamp),
    nowSeconds - daySeconds,
  )
  const lastUsed = random.chance(0.85)
    ? Math.max(creationTimestamp, world.lately(45))
    : world.between(creationTimestamp, nowSeconds)
  const loginMethods = loginsAt(world, lastUsed)
  const byPassword = loginMethods.passwordLogin
  const id = world.idAt(creationTimestamp)
  const ownPassword = random.chance(0.88) ? world.idAt(creationTimestamp) : usualPassword
  uses.push({
    accountId: id,
    employeeId: person.id,
    lastUsedTimestamp: lastUsed,
    passwordManuallyTyped: byPassword ? random.chance(0.35) : null,
  })
  return {
    id,
    employeeId: person.id,
    appType: app.type,
    appId: app.id,
    email: person.email,
    ...secondFactor(world, byPassword),
    passwordId: byPassword ? ownPassword : null,
    loginMethods,
    creationTimestamp,
    lastUsedTimestamp: lastUsed,
  }
}

function secondFactor(
  { random }: DemoWorld,
  byPassword: boolean,
): Pick<Account, 'mfaRegistered' | 'mfaMethods'> {
  if (!byPassword || random.chance(0.15)) return { mfaRegistered: null, mfaMethods: null }
  if (random.chance(0.35)) return { mfaRegistered: false, mfaMethods: [] }
  const first = random.pick(['APP_TOTP', 'APP_TOTP', 'PUSH_NOTIFICATION', 'WEBAUTHN', 'SMS_OTP'] as const)
  const more = random.chance(0.3) ? random.pick(mfaMethods) : first
  return { mfaRegistered: true, mfaMethods: [...new Set([first, more])] }
}

const sharedBy: Readonly<Record<string, readonly string[]>> = {
  Marketing: ['X', 'FACEBOOK', 'CANVA', 'HOOTSUITE'],
  Support: ['TEAMVIEWER', 'STATUSPAGE'],
  Finance: ['STRIPE', 'BILL'],
  Engineering: ['NPM', 'DOCKER'],
}

/** Accounts of a team, under one password that several people know. */
function sharedAccounts(
  world: DemoWorld,
  people: readonly Employee[],
  apps: ReadonlyMap<string, App>,
  uses: DemoUse[],
): Account[] {
  return Object.entries(sharedBy).flatMap(([department, types]) => {
    const team = people.filter((person) => person.department === department && person.licensed)
    return types.flatMap((type) => {
      const app = apps.get(type)
      const users = world.random.sample(team, 2 + world.random.below(4))
      const [first] = users
      return app && first && users.length > 1
        ? [sharedAccount(world, app, department, users, first, uses)]
        : []
    })
  })
}

function sharedAccount(
  world: DemoWorld,
  app: App,
  department: string,
  users: readonly Employee[],
  first: Employee,
  uses: DemoUse[],
): Account {
  const creationTimestamp = world.between(
    Math.max(app.creationTimestamp, first.creationTimestamp),
    world.nowSeconds - daySeconds,
  )
  const id = world.idAt(creationTimestamp)
  const times = users.map(() => Math.max(creationTimestamp, world.lately(80)))
  users.forEach((user, at) => {
    uses.push({
      accountId: id,
      employeeId: user.id,
      lastUsedTimestamp: times[at] ?? creationTimestamp,
      passwordManuallyTyped: world.random.chance(0.6),
    })
  })
  const lastUsed = Math.max(...times)
  return {
    id,
    employeeId: first.id,
    appType: app.type,
    appId: app.id,
    email: `${department.toLowerCase()}@${demoDomain}`,
    mfaRegistered: false,
    mfaMethods: [],
    passwordId: world.idAt(creationTimestamp),
    loginMethods: { ...noLogins, passwordLogin: true, lastPasswordLoginTimestamp: lastUsed },
    creationTimestamp,
    lastUsedTimestamp: lastUsed,
  }
}

/** Accounts on sites outside the catalogue. */
export function demoAccountsOther(
  world: DemoWorld,
  people: readonly Employee[],
  sites: readonly AppOther[],
): AccountOther[] {
  const { random, nowSeconds } = world
  return byCreation(
    people
      .filter(({ mergedIntoId }) => mergedIntoId === null)
      .flatMap((person) =>
        random.sample(sites, random.below(4)).map((site) => {
          const from = Math.max(person.creationTimestamp, site.creationTimestamp)
          const creationTimestamp = world.between(from, nowSeconds - daySeconds)
          const lastUsedTimestamp = world.between(creationTimestamp, nowSeconds)
          return {
            id: world.idAt(creationTimestamp),
            employeeId: person.id,
            otherAppId: site.id,
            email: person.email,
            loginMethods: loginsAt(world, lastUsedTimestamp),
            creationTimestamp,
            lastUsedTimestamp,
          }
        }),
      ),
  )
}
