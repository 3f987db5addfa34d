import type { LoginEvent, VisitEvent } from '@muster/contract/agent/agent-event'
import type { Collection, RecordOf } from '@muster/contract/api/collection'
import { registrableHost } from '@muster/contract/catalog/catalog'
import { type App, apps } from '@muster/contract/records/app'
import { type AppOther, appsOther } from '@muster/contract/records/app-other'
import { allSettledOrThrow } from '../../../kernel/lib/all-settled.ts'
import { findRecords } from '../../../kernel/store/find-records.ts'
import { insertRecords } from '../../../kernel/store/records.ts'
import { type BatchContext, derivedIdFor, eventsOf } from '../batch-context.ts'
import { hostOfUrl } from '../page-address.rules.ts'
import { newApp, newAppOther } from './app.rules.ts'

/** App of an event: in the catalog, or another one. */
type AppPlace = { readonly app: App } | { readonly other: AppOther }

/** Apps of a batch. */
export interface AppPlaces {
  of(event: LoginEvent | VisitEvent): AppPlace | undefined
  /** Domain of an app (other) of the batch. */
  domainOf(otherAppId: string): string | undefined
  /** Catalog app, if the organization has it. */
  byType(appType: string | null): App | undefined
  /** Adds the apps that were seen for the first time. */
  write(): Promise<void>
}

type Key = { readonly appType: string } | { readonly domain: string }

/** Finds or creates the apps of the events (domain contract, section 4). */
export async function findAppPlaces(context: BatchContext): Promise<AppPlaces> {
  const { tx, batch, nowSeconds, settings } = context
  const hosts = new Map<string, Key | undefined>()
  const keyOf = (event: LoginEvent | VisitEvent): Key | undefined => {
    const host = event.kind === 'LOGIN' ? hostOfUrl(event.loginUrl) : event.host
    if (host === undefined) return undefined
    if (!hosts.has(host)) hosts.set(host, keyOfHost(host))
    return hosts.get(host)
  }
  const keyOfHost = (host: string): Key | undefined => {
    const product = settings.catalog.byHost(host)
    if (product) return { appType: product.appType }
    const domain = registrableHost(host)
    return domain === undefined ? undefined : { domain }
  }

  const seenTypes = new Map<string, { id: string }>()
  const seenDomains = new Map<string, { id: string }>()
  for (const event of batch.events) {
    if (event.kind !== 'LOGIN' && event.kind !== 'VISIT') continue
    const key = keyOf(event)
    if (key === undefined) continue
    if ('appType' in key) {
      if (!seenTypes.has(key.appType)) seenTypes.set(key.appType, event)
    } else if (!seenDomains.has(key.domain)) seenDomains.set(key.domain, event)
  }
  const imitated = eventsOf(context, 'PAGE_THREAT').flatMap(({ appType }) => appType ?? [])
  const [types, domains] = await allSettledOrThrow([
    findByMember(context, apps, 'type', [...seenTypes.keys(), ...imitated]),
    findByMember(context, appsOther, 'domainKey', [...seenDomains.keys()]),
  ])

  const missingTypes = await lockMissing(context, apps, 'type', types, [...seenTypes.keys()])
  const missingDomains = await lockMissing(context, appsOther, 'domainKey', domains, [...seenDomains.keys()])
  const addedApps = missingTypes.map((appType) => {
    const product = settings.catalog.byType(appType)
    if (!product) throw new Error(`the catalog has no ${appType}`)
    const event = seenTypes.get(appType) ?? { id: '' }
    const app = newApp(derivedIdFor(context, event, 'app', appType), product, nowSeconds)
    return { ...app, ...context.replayedDecisions?.app(appType) }
  })
  const addedOthers = missingDomains.map((domain) => {
    const event = seenDomains.get(domain) ?? { id: '' }
    const other = newAppOther(derivedIdFor(context, event, 'appOther', domain), domain, nowSeconds)
    return { ...other, ...context.replayedDecisions?.other(domain) }
  })
  for (const app of addedApps) types.set(app.type, app)
  for (const other of addedOthers) domains.set(other.domain, other)

  return {
    of: (event) => {
      const key = keyOf(event)
      if (key === undefined) return undefined
      const app = 'appType' in key ? types.get(key.appType) : undefined
      const other = 'domain' in key ? domains.get(key.domain) : undefined
      return app ? { app } : other ? { other } : undefined
    },
    domainOf: (otherAppId) => domains.values().find(({ id }) => id === otherAppId)?.domain,
    byType: (appType) => (appType === null ? undefined : types.get(appType)),
    write: async () => {
      await insertRecords(tx, apps, batch.org, addedApps.map(toNewRow))
      await insertRecords(tx, appsOther, batch.org, addedOthers.map(toNewRow))
    },
  }
}

const toNewRow = <R extends { id: string; creationTimestamp: number }>(record: R) => ({
  id: record.id,
  record,
  createdAtSeconds: record.creationTimestamp,
})

const memberOf = { type: 'type', domainKey: 'domain' } as const

/** Returns records by a member; the oldest if several have the same value. */
async function findByMember<C extends Collection>(
  { tx, batch }: BatchContext,
  collection: C,
  column: keyof typeof memberOf,
  values: readonly string[],
): Promise<Map<string, RecordOf<C>>> {
  const found = new Map<string, RecordOf<C>>()
  for (const record of await findRecords(tx, collection, batch.org, column, values)) {
    const value = String((record as Record<string, unknown>)[memberOf[column]]).toLowerCase()
    const key = column === 'type' ? String((record as Record<string, unknown>).type) : value
    if (!found.has(key)) found.set(key, record)
  }
  return found
}

/**
 * Locks the values without a record and returns those that still have none. Other transactions that would add
 * them wait until this one ends. Records added meanwhile are put into `found`.
 */
async function lockMissing<C extends Collection>(
  context: BatchContext,
  collection: C,
  column: keyof typeof memberOf,
  found: Map<string, RecordOf<C>>,
  values: readonly string[],
): Promise<string[]> {
  const missing = values.filter((value) => !found.has(value))
  if (missing.length === 0) return []
  for (const value of missing.toSorted())
    await context.tx.lock(`${collection.name} ${context.batch.org} ${value}`)
  for (const [value, record] of await findByMember(context, collection, column, missing))
    found.set(value, record)
  return missing.filter((value) => !found.has(value))
}
