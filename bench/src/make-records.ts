/**
 * Writes employees, browsers and browser extensions as JSON Lines for `muster import`. With --accounts, it also writes
 * accounts, apps, detections and findings:
 *
 *   node bench/src/make-records.ts --out DIR [--sample FILE] [--extensions 1000000] [--employees 100000] [--accounts 0] [--seed 1]
 *
 * The sample is a JSON Lines file with an extension per line: extensionId, name, description, version, versionName,
 * permissions, hostPermissions, updateUrl, homePageUrl. Without it, extensions are invented.
 */
import { once } from 'node:events'
import { createWriteStream, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Account } from '@muster/contract/records/account'
import type { Browser } from '@muster/contract/records/browser'
import { type BrowserExtension, deploymentModes } from '@muster/contract/records/browser-extension'
import type { Employee } from '@muster/contract/records/employee'
import { idSource } from '../../server/src/kernel/lib/secrets/id.ts'
import { type SeededRandom, seededRandom } from '../../server/src/kernel/lib/secrets/seeded-random.ts'
import {
  type AccountWorld,
  accountOtherRecords,
  accountRecords,
  appOtherRecords,
  appRecords,
  detectionRecords,
  findingRecords,
} from './account-records.ts'
import { type FoundExtension, inventExtensions, readSample } from './found-extensions.ts'

export interface RecordsPlan {
  readonly folder: string
  readonly sample: readonly FoundExtension[]
  readonly extensions: number
  readonly employees: number
  readonly accounts: number
  readonly seed: number
}

/** End of all timestamps, and the two years before it. */
const endSeconds = 1_767_225_600
const spanSeconds = 2 * 365 * 86_400

/** Writes the files. The same plan gives the same bytes. */
export async function makeRecords(plan: RecordsPlan): Promise<void> {
  mkdirSync(plan.folder, { recursive: true })
  const random = seededRandom(plan.seed)
  const newId = idSource(random.byte)
  const people = peopleOf(plan.employees, newId)
  await writeLines(
    join(plan.folder, 'employees.jsonl'),
    mapped(people, (person) => employee(person)),
  )
  const browsers = people.map(({ createdSeconds, number }) => newId((createdSeconds + (number % 60)) * 1000))
  await writeLines(
    join(plan.folder, 'browsers.jsonl'),
    mapped(people, (person, at) => browser(person, browsers[at] ?? '', random)),
  )
  await writeLines(join(plan.folder, 'browserExtensions.jsonl'), extensions(plan, people, browsers, random))
  if (plan.accounts > 0) await makeAccounts(plan, people, browsers, random)
}

/** Number of apps in the catalog. */
const catalogApps = 400
/** Other accounts, detections and findings per account. */
const tenth = 0.1

async function makeAccounts(
  { folder, accounts: count }: RecordsPlan,
  people: readonly Person[],
  browserIds: readonly string[],
  random: SeededRandom,
): Promise<void> {
  const world: AccountWorld = {
    random,
    newId: idSource(random.byte),
    employees: people.map(employee),
    browserIds,
    startSeconds: endSeconds - spanSeconds,
    endSeconds,
  }
  const write = (name: string, records: Iterable<object>) =>
    writeLines(join(folder, `${name}.jsonl`), records)
  const apps = [...appRecords(world, catalogApps)]
  const appsOther = [...appOtherRecords(world, Math.ceil(count * tenth * tenth))]
  const sampled: Account[] = []
  await write('apps', apps)
  await write('appsOther', appsOther)
  await write('accounts', collectEveryTenth(accountRecords(world, apps, count), sampled))
  await write('accountsOther', accountOtherRecords(world, appsOther, Math.ceil(count * tenth)))
  await write('findings', findingRecords(world, sampled, Math.ceil(count * tenth)))
  await write('detections', detectionRecords(world, apps, Math.ceil(count * tenth)))
}

/** Passes all items on and collects every tenth. */
function* collectEveryTenth<T>(items: Iterable<T>, collected: T[]): Generator<T> {
  let number = 0
  for (const item of items) {
    if (number++ % 10 === 0) collected.push(item)
    yield item
  }
}

interface Person {
  readonly id: string
  readonly number: number
  readonly createdSeconds: number
}

function peopleOf(count: number, newId: (ms: number) => string): Person[] {
  const start = endSeconds - 2 * spanSeconds
  return Array.from({ length: count }, (_, number) => {
    const createdSeconds = start + Math.floor((number * spanSeconds) / count)
    return { id: newId(createdSeconds * 1000), number, createdSeconds }
  })
}

const departments = [
  'Engineering',
  'Sales',
  'Finance',
  'Support',
  'Marketing',
  'Legal',
  'People',
  'Operations',
]
const locations = ['London', 'Berlin', 'Madrid', 'Toronto', 'Austin', 'Singapore']
const addressOf = (number: number) => `employee.${number}@example.com`

const employee = ({ id, number, createdSeconds }: Person): Employee => ({
  id,
  email: addressOf(number),
  firstName: `First${number}`,
  lastName: `Last${number}`,
  department: departments[number % departments.length] ?? null,
  location: locations[number % locations.length] ?? null,
  licensed: number % 10 !== 0,
  chatopsEnabled: false,
  groups: number % 4 === 0 ? ['Engineers'] : [],
  secondaryEmails: [],
  mergedIntoId: null,
  creationTimestamp: createdSeconds,
})

const browser = (
  { id: employeeId, number, createdSeconds }: Person,
  id: string,
  random: SeededRandom,
): Browser => ({
  id,
  employeeId,
  email: addressOf(number),
  version: `${130 + random.below(12)}.0.${6000 + random.below(999)}.${random.below(200)}`,
  tokenType: random.chance(0.7) ? 'MANAGED' : 'INDIVIDUAL',
  isActive: random.chance(0.85),
  browser: random.pick(['CHROME', 'CHROME', 'CHROME', 'EDGE', 'EDGE', 'FIREFOX', 'BRAVE']),
  os: random.pick(['WINDOWS', 'WINDOWS', 'MACOS', 'MACOS', 'LINUX', 'CHROMEOS']),
  extensionVersion: '1.4.0',
  language: random.pick(['en-GB', 'en-US', 'de', 'es', null]),
  profileEmail: random.chance(0.8) ? addressOf(number) : null,
  profileSyncEnabled: random.pick([true, false, null]),
  creationTimestamp: createdSeconds + (number % 60),
  lastOnlineTimestamp: endSeconds - random.below(45 * 86_400),
})

function* extensions(
  { extensions: count, sample }: RecordsPlan,
  people: readonly Person[],
  browsers: readonly string[],
  random: SeededRandom,
): Generator<BrowserExtension> {
  const newId = idSource(random.byte)
  const start = endSeconds - spanSeconds
  for (let number = 0; number < count; number += 1) {
    const createdSeconds = start + Math.floor((number * spanSeconds) / count)
    // The first extensions go to one person each, the others to random people.
    const holder = number < people.length ? number : random.below(people.length)
    const found = random.pick(sample)
    const enabled = random.chance(0.93)
    yield {
      id: newId(createdSeconds * 1000),
      extensionId: found.extensionId,
      employeeId: people[holder]?.id ?? '',
      browserId: browsers[holder] ?? '',
      name: found.name,
      description: found.description,
      deploymentMode: random.chance(0.6) ? 'MANUAL' : random.pick(deploymentModes),
      permissions: [...found.permissions],
      hostPermissions: [...found.hostPermissions],
      version: found.version,
      versionName: found.versionName,
      enabled,
      disabledReason: enabled ? null : random.pick(['unknown', 'permissions_increase']),
      updateUrl: found.updateUrl,
      homePageUrl: found.homePageUrl,
      creationTimestamp: createdSeconds,
      lastUpdatedTimestamp: createdSeconds + random.below(endSeconds - createdSeconds + 1),
    }
  }
}

function* mapped<T, R>(items: readonly T[], make: (item: T, at: number) => R): Generator<R> {
  for (const [at, item] of items.entries()) yield make(item, at)
}

async function writeLines(path: string, records: Iterable<object>): Promise<void> {
  const file = createWriteStream(path, { highWaterMark: 4 * 1024 * 1024 })
  let block = ''
  for (const record of records) {
    block += `${JSON.stringify(record)}\n`
    if (block.length < 256 * 1024) continue
    if (!file.write(block)) await once(file, 'drain')
    block = ''
  }
  file.end(block)
  await once(file, 'finish')
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      out: { type: 'string' },
      sample: { type: 'string' },
      extensions: { type: 'string', default: '1000000' },
      employees: { type: 'string', default: '100000' },
      accounts: { type: 'string', default: '0' },
      seed: { type: 'string', default: '1' },
    },
  })
  if (values.out === undefined) throw new Error('Missing option --out: the output folder')
  await makeRecords({
    folder: values.out,
    sample: values.sample === undefined ? inventExtensions(2000) : readSample(values.sample),
    extensions: Number(values.extensions),
    employees: Number(values.employees),
    accounts: Number(values.accounts),
    seed: Number(values.seed),
  })
}
