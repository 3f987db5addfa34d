import type { CollectionName } from '@muster/contract/api'
import { demoAccounts, demoAccountsOther } from './demo-accounts.ts'
import { demoAppsOther, demoInventory } from './demo-apps.ts'
import { demoBrowserExtensions, demoBrowsers } from './demo-browsers.ts'
import { demoBlockedUrls, demoDetections } from './demo-detections.ts'
import { demoFindings } from './demo-findings.ts'
import { demoPeople } from './demo-people.ts'
import type { DemoWorld } from './demo-world.ts'

/** All records of a made-up company, by resource, in the order in which they are to be stored. */
export function demoWorkforce(world: DemoWorld, employees: number): [CollectionName, readonly object[]][] {
  const people = demoPeople(world, employees)
  const apps = demoInventory(world, people)
  const appsOther = demoAppsOther(world)
  const accounts = demoAccounts(world, people, apps)
  const accountsOther = demoAccountsOther(world, people, appsOther)
  const browsers = demoBrowsers(world, people)
  const browserExtensions = demoBrowserExtensions(world, browsers)
  return [
    ['employees', people],
    ['apps', [...apps.values()]],
    ['appsOther', appsOther],
    ['accounts', accounts.accounts],
    ['usedBy', accounts.uses],
    ['accountsOther', accountsOther],
    ['browsers', browsers],
    ['browserExtensions', browserExtensions],
    ['detections', demoDetections(world, people, browsers, apps)],
    ['findings', demoFindings(world, people, accounts)],
    ['blockedUrls', demoBlockedUrls(world)],
  ]
}
