import type { Browser } from '@muster/contract/browser'
import type { BrowserExtension } from '@muster/contract/browser-extension'
import type { Employee } from '@muster/contract/employee'
import { byCreation, type DemoWorld, daySeconds } from './demo-world.ts'
import { type DemoExtension, demoExtensions } from './extension-catalogue.ts'

const machines = [
  { os: 'MACOS', browsers: ['CHROME', 'CHROME', 'CHROME', 'SAFARI', 'ARC', 'FIREFOX'] },
  { os: 'MACOS', browsers: ['CHROME', 'CHROME', 'BRAVE', 'FIREFOX'] },
  { os: 'WINDOWS', browsers: ['CHROME', 'CHROME', 'EDGE', 'EDGE', 'FIREFOX'] },
  { os: 'WINDOWS', browsers: ['EDGE', 'CHROME', 'OPERA'] },
  { os: 'LINUX', browsers: ['CHROME', 'FIREFOX', 'FIREFOX'] },
  { os: 'CHROMEOS', browsers: ['CHROME'] },
] as const
const versions: Readonly<Record<string, readonly string[]>> = {
  FIREFOX: ['144.0', '145.0', '145.0.1', '140.5.0'],
  SAFARI: ['26.0', '26.1'],
}
const chromium = ['142.0.7444.60', '142.0.7444.135', '141.0.7390.123', '141.0.7390.54', '138.0.7204.183']

/** The browsers of licensed people: one or two each, some of them forgotten. */
export function demoBrowsers(world: DemoWorld, people: readonly Employee[]): Browser[] {
  return byCreation(
    people
      .filter(({ licensed }) => licensed)
      .flatMap((person) =>
        Array.from({ length: world.random.chance(0.3) ? 2 : 1 }, () => browserOf(world, person)),
      ),
  )
}

function browserOf(world: DemoWorld, person: Employee): Browser {
  const { random, nowSeconds } = world
  const machine = random.pick(machines)
  const browser = random.pick<(typeof machines)[number]['browsers'][number]>(machine.browsers)
  const creationTimestamp = world.between(person.creationTimestamp, nowSeconds - daySeconds)
  const lastOnlineTimestamp = random.chance(0.9)
    ? Math.max(creationTimestamp, world.lately(6))
    : world.between(Math.max(creationTimestamp, nowSeconds - 85 * daySeconds), nowSeconds)
  return {
    id: world.idAt(creationTimestamp),
    employeeId: person.id,
    email: person.email,
    version: random.pick(versions[browser] ?? chromium),
    tokenType: random.chance(0.75) ? 'MANAGED' : 'INDIVIDUAL',
    isActive: lastOnlineTimestamp >= nowSeconds - 30 * daySeconds,
    browser,
    os: machine.os,
    extensionVersion: random.pick(['1.4.0', '1.4.0', '1.4.0', '1.3.2']),
    language: random.pick(['en-GB', 'en-GB', 'en-US', 'de', 'pt-PT', 'fr-CA', null]),
    profileEmail: random.chance(0.8) ? person.email : null,
    profileSyncEnabled: random.pick([true, true, false, null]),
    creationTimestamp,
    lastOnlineTimestamp,
  }
}

/** What is installed in them. */
export function demoBrowserExtensions(world: DemoWorld, browsers: readonly Browser[]): BrowserExtension[] {
  return byCreation(
    browsers.flatMap((browser) =>
      demoExtensions
        .filter(({ reach }) => world.random.chance(reach))
        .map((extension) => installed(world, browser, extension)),
    ),
  )
}

function installed(world: DemoWorld, browser: Browser, extension: DemoExtension): BrowserExtension {
  const { random } = world
  const creationTimestamp = random.chance(0.6)
    ? browser.creationTimestamp + random.below(600)
    : world.between(browser.creationTimestamp, browser.lastOnlineTimestamp)
  const ours = extension.name.startsWith('Northgate')
  const development = !ours && random.chance(0.015)
  const enabled = random.chance(0.92)
  const version = `${1 + (extension.name.length % 7)}.${random.below(3)}.${random.below(12)}`
  return {
    id: world.idAt(creationTimestamp),
    extensionId: extension.extensionId,
    employeeId: browser.employeeId,
    browserId: browser.id,
    name: extension.name,
    description: extension.description,
    deploymentMode: ours
      ? 'MANAGED'
      : development
        ? 'DEVELOPMENT'
        : random.pick([
            'MANUAL',
            'MANUAL',
            'MANUAL',
            'MANUAL',
            'MANUAL',
            'MANUAL',
            'MANAGED',
            'SIDELOAD',
            'OTHER',
          ]),
    permissions: [...extension.permissions],
    hostPermissions: [...extension.hostPermissions],
    version,
    versionName: random.chance(0.1) ? `${version} stable` : null,
    enabled,
    disabledReason: enabled ? null : random.pick(['permissions_increase', 'unknown']),
    updateUrl: development ? null : 'https://clients2.google.com/service/update2/crx',
    homePageUrl: extension.homePageUrl,
    creationTimestamp,
    lastUpdatedTimestamp: Math.max(creationTimestamp, browser.lastOnlineTimestamp),
  }
}
