import type { Account, LoginMethods } from '@muster/contract/records/account'
import type { AccountOther } from '@muster/contract/records/account-other'
import { type App, approvalStatuses, sensitivityLevels } from '@muster/contract/records/app'
import type { AppOther } from '@muster/contract/records/app-other'
import {
  classifications,
  type Detection,
  detectionResponses,
  detectionTypes,
  severities,
} from '@muster/contract/records/detection'
import type { Employee } from '@muster/contract/records/employee'
import { type Finding, findingTypes } from '@muster/contract/records/finding'
import type { SeededRandom } from '../../server/src/kernel/lib/secrets/seeded-random.ts'

/** Input for the records of apps, accounts, findings and detections. */
export interface AccountWorld {
  readonly random: SeededRandom
  readonly newId: (ms: number) => string
  readonly employees: readonly Employee[]
  readonly browserIds: readonly string[]
  /** Bounds of all timestamps, in UNIX seconds. */
  readonly startSeconds: number
  readonly endSeconds: number
}

/** Generates evenly spaced creation times, in UNIX seconds. */
function* creationTimes({ startSeconds, endSeconds }: AccountWorld, count: number): Generator<number> {
  const step = (endSeconds - startSeconds) / count
  for (let number = 0; number < count; number += 1) yield startSeconds + Math.floor(number * step)
}

const randomTimeAfter = ({ random, endSeconds }: AccountWorld, seconds: number): number =>
  seconds + random.below(endSeconds - seconds + 1)

const labels = [
  'GenAI',
  'Finance',
  'Legacy',
  'Pilot',
  'Customer data',
  'Engineering',
  'Free plan',
  'To review',
]

export function* appRecords(world: AccountWorld, count: number): Generator<App> {
  const { random, newId, employees } = world
  for (const [number, creationTimestamp] of [...creationTimes(world, count)].entries()) {
    yield {
      id: newId(creationTimestamp * 1000),
      type: `APP_${number}`,
      approvalStatus: random.pick([...approvalStatuses, null]),
      sensitivityLevel: random.pick([...sensitivityLevels, null]),
      ownerId: random.chance(0.3) ? random.pick(employees).id : null,
      notes: '',
      website: `https://app-${number}.example.com`,
      description: `The app number ${number} of the catalog.`,
      friendlyName: `App ${number}`,
      labels: random.sample(labels, random.below(4)),
      creationTimestamp,
    }
  }
}

export function* appOtherRecords(world: AccountWorld, count: number): Generator<AppOther> {
  const { random, newId } = world
  for (const [number, creationTimestamp] of [...creationTimes(world, count)].entries()) {
    yield {
      id: newId(creationTimestamp * 1000),
      domain: `tool-${number}.example.${random.pick(['com', 'net', 'org'])}`,
      requestSupportStatus: random.chance(0.02) ? 'REQUESTED' : 'DISCOVERED',
      hidden: random.chance(0.1),
      creationTimestamp,
    }
  }
}

function loginMethods(world: AccountWorld, byPassword: boolean, lastUsed: number | null): LoginMethods {
  const byOidc = !byPassword || world.random.chance(0.2)
  return {
    passwordLogin: byPassword,
    lastPasswordLoginTimestamp: byPassword ? lastUsed : null,
    oidcLogin: byOidc ? 'GOOGLE_WORKSPACE' : null,
    lastOidcLoginTimestamp: byOidc ? lastUsed : null,
    samlLogin: null,
    lastSamlLoginTimestamp: null,
    oktaSwaLogin: false,
    lastOktaSwaLoginTimestamp: null,
    vendorSsoLogin: null,
    lastVendorSsoLoginTimestamp: null,
    fedCmLogin: null,
    lastFedCmLoginTimestamp: null,
  }
}

export function* accountRecords(
  world: AccountWorld,
  apps: readonly App[],
  count: number,
): Generator<Account> {
  const { random, newId, employees } = world
  for (const creationTimestamp of creationTimes(world, count)) {
    const employee = random.pick(employees)
    // A few apps have most of the accounts.
    const app = apps[Math.floor(random.fraction() ** 3 * apps.length)] ?? random.pick(apps)
    const byPassword = random.chance(0.6)
    const lastUsed = random.chance(0.95) ? randomTimeAfter(world, creationTimestamp) : null
    const mfa = random.pick([true, false, null])
    yield {
      id: newId(creationTimestamp * 1000),
      employeeId: employee.id,
      appType: app.type,
      appId: app.id,
      email: employee.email,
      mfaRegistered: mfa,
      mfaMethods: mfa === null ? null : mfa ? ['APP_TOTP'] : [],
      passwordId: byPassword ? newId(creationTimestamp * 1000) : null,
      loginMethods: loginMethods(world, byPassword, lastUsed),
      creationTimestamp,
      lastUsedTimestamp: lastUsed,
    }
  }
}

export function* accountOtherRecords(
  world: AccountWorld,
  apps: readonly AppOther[],
  count: number,
): Generator<AccountOther> {
  const { random, newId, employees } = world
  for (const creationTimestamp of creationTimes(world, count)) {
    const employee = random.pick(employees)
    const lastUsed = randomTimeAfter(world, creationTimestamp)
    yield {
      id: newId(creationTimestamp * 1000),
      employeeId: employee.id,
      otherAppId: random.pick(apps).id,
      email: employee.email,
      loginMethods: loginMethods(world, true, lastUsed),
      creationTimestamp,
      lastUsedTimestamp: lastUsed,
    }
  }
}

export function* findingRecords(
  world: AccountWorld,
  accounts: readonly Account[],
  count: number,
): Generator<Finding> {
  const { random, newId } = world
  for (const creationTimestamp of creationTimes(world, count)) {
    const account = random.pick(accounts)
    const type = random.pick(findingTypes)
    yield {
      id: newId(creationTimestamp * 1000),
      type,
      state: random.chance(0.3) ? 'OPEN' : 'RESOLVED',
      employeeId: account.employeeId,
      passwordId: account.passwordId,
      accountId: account.id,
      appType: account.appType,
      appId: account.appId,
      weakPasswordReasons: type === 'WEAK_PASSWORD' ? ['TOO_SHORT'] : null,
      creationTimestamp,
      lastUpdatedTimestamp: randomTimeAfter(world, creationTimestamp),
    }
  }
}

export function* detectionRecords(
  world: AccountWorld,
  apps: readonly App[],
  count: number,
): Generator<Detection> {
  const { random, newId, employees, browserIds } = world
  for (const creationTimestamp of creationTimes(world, count)) {
    const at = random.below(employees.length)
    const { groups, secondaryEmails, mergedIntoId, ...employee } = employees[at] ?? random.pick(employees)
    const app = random.chance(0.5) ? random.pick(apps) : undefined
    const id = newId(creationTimestamp * 1000)
    yield {
      id,
      employeeId: employee.id,
      employee,
      browserId: browserIds[at] ?? null,
      severity: random.pick(['LOW', 'LOW', 'LOW', ...severities]),
      detectionType: random.pick(detectionTypes),
      response: random.pick(detectionResponses),
      classification: random.chance(0.8) ? 'NOT_CLASSIFIED' : random.pick(classifications),
      archived: random.chance(0.4),
      appId: app?.id ?? null,
      appType: app?.type ?? null,
      url: `https://login-${random.below(5000)}.example.net/`,
      referrerUrl: null,
      sourceIpAddress: `203.0.113.${random.below(256)}`,
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64)',
      detectionLink: `https://muster.example.com/console/detections/${id}`,
      creationTimestamp,
      lastActivityTimestamp: randomTimeAfter(world, creationTimestamp),
    }
  }
}
