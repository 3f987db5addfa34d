import type { App } from '@muster/contract/app'
import type { AppOther } from '@muster/contract/app-other'
import type { Employee } from '@muster/contract/employee'
import { type AppCategory, type DemoApp, demoApps, demoOtherDomains } from './app-catalogue.ts'
import { byCreation, type DemoWorld, daySeconds } from './demo-world.ts'

const departmentOf: Readonly<Partial<Record<AppCategory, string>>> = {
  engineering: 'Engineering',
  sales: 'Sales',
  marketing: 'Marketing',
  finance: 'Finance',
  people: 'People',
  support: 'Support',
}
const labelsOf: Readonly<Record<AppCategory, readonly string[]>> = {
  everyone: ['Core'],
  engineering: ['Engineering'],
  sales: ['Customer data'],
  marketing: ['Public'],
  finance: ['Finance', 'Regulated'],
  people: ['Personal data', 'Regulated'],
  support: ['Customer data'],
  genai: ['GenAI'],
}
const sensitive: ReadonlySet<AppCategory> = new Set(['finance', 'people'])

/** How likely somebody of a department uses an app. */
export function likelihood({ category, reach }: DemoApp, department: string | null): number {
  if (category === 'everyone' || category === 'genai') return reach
  return departmentOf[category] === department ? reach : reach * 0.06
}

/** The apps as the inventory shows them, by their types. */
export function demoInventory(world: DemoWorld, people: readonly Employee[]): Map<string, App> {
  const apps = demoApps.map((app) => inventoryApp(world, app, people))
  return new Map(byCreation(apps).map((app) => [app.type, app]))
}

function inventoryApp(world: DemoWorld, app: DemoApp, people: readonly Employee[]): App {
  const { random, nowSeconds } = world
  const owners = people.filter(
    ({ department, licensed }) => licensed && department === (departmentOf[app.category] ?? 'Operations'),
  )
  const creationTimestamp = nowSeconds - (30 + random.below(900)) * daySeconds - random.below(daySeconds)
  const core = app.reach > 0.4
  return {
    id: world.idAt(creationTimestamp),
    type: app.type,
    approvalStatus: core ? 'APPROVED' : random.pick(['APPROVED', 'UNDER_REVIEW', 'NOT_APPROVED', null, null]),
    sensitivityLevel: sensitive.has(app.category)
      ? 'HIGH'
      : random.pick(['HIGH', 'MEDIUM', 'MEDIUM', 'LOW', null]),
    ownerId: owners.length > 0 && random.chance(core ? 0.9 : 0.4) ? random.pick(owners).id : null,
    notes: random.chance(0.15)
      ? random.pick([
          'Contract ends in March.',
          'Ask Legal before sharing customer data.',
          'To be replaced next year.',
        ])
      : '',
    website: `https://${app.domain}`,
    description: app.description,
    friendlyName: app.name,
    labels: random.chance(0.85) ? [...labelsOf[app.category]] : [],
    creationTimestamp,
  }
}

/** Sites outside the catalogue. */
export const demoAppsOther = (world: DemoWorld): AppOther[] =>
  byCreation(
    demoOtherDomains.map((domain) => {
      const creationTimestamp = world.nowSeconds - (10 + world.random.below(600)) * daySeconds
      return {
        id: world.idAt(creationTimestamp),
        domain,
        requestSupportStatus: world.random.chance(0.15) ? 'REQUESTED' : 'DISCOVERED',
        hidden: world.random.chance(0.1),
        creationTimestamp,
      }
    }),
  )
