import type { LoginEvent, VisitEvent } from '@muster/contract/agent-event'
import { type App, apps } from '@muster/contract/app'
import { type AppOther, appsOther } from '@muster/contract/app-other'
import { registrableHost } from '@muster/contract/catalog/catalog'
import type { Collection, RecordOf } from '@muster/contract/collection'
import { allSettledOrThrow } from '../../../kernel/lib/all-settled.ts'
import { peekRecords } from '../../../kernel/store/peek.ts'
import { insertRecords } from '../../../kernel/store/records.ts'
import { type BatchContext, eventsOf, idFrom } from '../batch-context.ts'
import { hostOfUrl } from '../page-address.ts'
import { newApp, newAppOther } from './app.rules.ts'

/** Where something happened: on an app of the catalog, or on another. */
export type AppPlace = { readonly app: App } | { readonly other: AppOther }

/** The apps of a batch. */
export interface AppPlaces {
  of(event: LoginEvent | VisitEvent): AppPlace | undefined
  /** The domain of an app (other) of the batch. */
  domainOf(otherAppId: string): string | undefined
  /** An app of the catalog, if the organization has it. */
  byType(appType: string | null): App | undefined
  /** Adds those that were seen for the first time. */
  write(): Promise<void>
}

type Key = { readonly appType: string } | { readonly domain: string }

/** Finds the apps that the events name, or makes them (domain contract, section 4). */
export async function findAppPlaces(context: BatchContext): Promise<AppPlaces> {
  const { tx, batch, nowSeconds, terms } = context
  const hosts = new Map<string, Key | undefined>()
  const keyOf = (event: LoginEvent | VisitEvent): Key | undefined => {
    const host = event.kind === 'LOGIN' ? hostOfUrl(event.loginUrl) : event.host
    if (host === undefined) return undefined
    if (!hosts.has(host)) hosts.set(host, keyOfHost(host))
    return hosts.get(host)
  }
  const keyOfHost = (host: string): Key | undefined => {
    const product = terms.catalog.byHost(host)
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
  const threatened = eventsOf(context, 'PAGE_THREAT').flatMap(({ appType }) => appType ?? [])
  const [types, domains] = await allSettledOrThrow([
    peekMap(context, apps, 'type', [...seenTypes.keys(), ...threatened]),
    peekMap(context, appsOther, 'domainKey', [...seenDomains.keys()]),
  ])

  const missingTypes = await stillMissing(context, apps, 'type', types, [...seenTypes.keys()])
  const missingDomains = await stillMissing(context, appsOther, 'domainKey', domains, [...seenDomains.keys()])
  const addedApps = missingTypes.map((appType) => {
    const product = terms.catalog.byType(appType)
    if (!product) throw new Error(`the catalog has no ${appType}`)
    const event = seenTypes.get(appType) ?? { id: '' }
    const app = newApp(idFrom(context, event, 'app', appType), product, nowSeconds)
    return { ...app, ...context.replayed?.app(appType) }
  })
  const addedOthers = missingDomains.map((domain) => {
    const event = seenDomains.get(domain) ?? { id: '' }
    const other = newAppOther(idFrom(context, event, 'appOther', domain), domain, nowSeconds)
    return { ...other, ...context.replayed?.other(domain) }
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
      await insertRecords(tx, apps, batch.org, addedApps.map(asNew))
      await insertRecords(tx, appsOther, batch.org, addedOthers.map(asNew))
    },
  }
}

const asNew = <R extends { id: string; creationTimestamp: number }>(record: R) => ({
  id: record.id,
  record,
  createdAtSeconds: record.creationTimestamp,
})

const memberOf = { type: 'type', domainKey: 'domain' } as const

/** The records by a member; of several with the same the oldest. */
async function peekMap<C extends Collection>(
  { tx, batch }: BatchContext,
  collection: C,
  column: keyof typeof memberOf,
  values: readonly string[],
): Promise<Map<string, RecordOf<C>>> {
  const found = new Map<string, RecordOf<C>>()
  for (const record of await peekRecords(tx, collection, batch.org, column, values)) {
    const value = String((record as Record<string, unknown>)[memberOf[column]]).toLowerCase()
    const key = column === 'type' ? String((record as Record<string, unknown>).type) : value
    if (!found.has(key)) found.set(key, record)
  }
  return found
}

/**
 * Which of the values no record has, once nobody else can be adding it: others that want to wait here until this
 * transaction ends. What was found meanwhile is put into `found`.
 */
async function stillMissing<C extends Collection>(
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
  for (const [value, record] of await peekMap(context, collection, column, missing)) found.set(value, record)
  return missing.filter((value) => !found.has(value))
}
