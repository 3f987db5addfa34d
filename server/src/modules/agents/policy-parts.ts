import type { Collection } from '@muster/contract/api/collection'
import { createCatalog, registrableHost } from '@muster/contract/catalog/catalog'
import type { Product } from '@muster/contract/catalog/product'
import { type App, apps } from '@muster/contract/records/app'
import { type AppOther, appsOther } from '@muster/contract/records/app-other'
import { type BlockedUrl, blockedUrls } from '@muster/contract/records/blocked-url'
import type { Banner, Controls } from '@muster/contract/records/controls'
import { boundedMap } from '../../kernel/lib/bounded-map.ts'
import { readControls } from '../../kernel/organizations/organization-controls.ts'
import { givenOrganizationName } from '../../kernel/organizations/organizations.ts'
import { scanRecords } from '../../kernel/store/scan-records.ts'
import type { Db, Reader } from '../../kernel/store/sql.ts'
import { listCatalogProducts } from '../catalog/catalog-products.service.ts'
import {
  type BannerFacts,
  bannerApps,
  bannersByApp,
  bannersOf,
  matchesEveryApp,
  protectedAppTypesOf,
  type ScopedEmployee,
} from './policy.rules.ts'

/** Parts of the policy that all browsers of an organization share at one revision. */
export interface PolicyParts {
  readonly revision: number
  readonly organizationName: string
  readonly controls: Controls
  /** Blocked URLs as JSON. Serialized once instead of per browser, because there can be 25,000. */
  readonly blockedUrlsJson: string
  readonly protectedAppTypes: readonly string[]
  /** Returns the banners of an employee as JSON. */
  readonly bannersJson: (employee: ScopedEmployee) => string
  /** Products that the organization added. */
  readonly ownProducts: readonly Product[]
}

/** Maximum number of apps (other) with a banner: the ones seen first. */
const otherDomainsMaximum = 2000
const cachedOrganizations = 64

/** Returns a cached reader of the shared parts, which reads them again when the revision changes. */
export function policyParts(db: Db, products: readonly Product[]) {
  const known = boundedMap<number, { revision: number; parts: Promise<PolicyParts> }>(cachedOrganizations)
  return (org: number, revision: number): Promise<PolicyParts> => {
    const cached = known.get(org)
    if (cached?.revision === revision) return cached.parts
    // The revision was read before the parts, so cached parts are never older than their revision.
    const parts = readParts(db.slow, products, org, revision)
    const entry = { revision, parts }
    known.set(org, entry)
    parts.catch(() => {
      if (known.get(org) === entry) known.delete(org)
    })
    return parts
  }
}

async function readParts(
  reader: Reader,
  products: readonly Product[],
  org: number,
  revision: number,
): Promise<PolicyParts> {
  const controls = await readControls(reader, org)
  const ownProducts = await listCatalogProducts(reader, org)
  const all = createCatalog(products, ownProducts).all
  const { banners } = controls
  const rated = banners.length > 0 ? await allRecords<App>(reader, apps, org) : []
  return {
    revision,
    organizationName: (await givenOrganizationName(reader, org)) ?? '',
    controls,
    blockedUrlsJson: await blockedUrlsJson(reader, org),
    protectedAppTypes: protectedAppTypesOf(controls, all),
    bannersJson: bannerTexts(banners, {
      apps: banners.length > 0 ? bannerApps(rated, banners) : [],
      otherDomains: banners.some(matchesEveryApp) ? await otherDomains(reader, org) : [],
    }),
    ownProducts,
  }
}

/** Maximum number of kept texts. Employees with the same banners share one. */
const bannerTextsMaximum = 100

/** Keeps the texts, because matching the banners with a thousand apps takes longer than the rest of a policy. */
function bannerTexts(banners: readonly Banner[], facts: BannerFacts): PolicyParts['bannersJson'] {
  const texts = boundedMap<string, string>(bannerTextsMaximum)
  return (employee) => {
    const own = bannersOf(banners, employee)
    const key = own.map((banner) => banners.indexOf(banner)).join(' ')
    const known = texts.get(key)
    if (known !== undefined) return known
    const text = JSON.stringify(bannersByApp(own, facts))
    texts.set(key, text)
    return text
  }
}

async function allRecords<R>(reader: Reader, collection: Collection, org: number): Promise<R[]> {
  const records: R[] = []
  for await (const texts of scanRecords(reader, collection, org))
    records.push(...texts.map((text) => JSON.parse(text) as R))
  return records
}

async function blockedUrlsJson(reader: Reader, org: number): Promise<string> {
  const pieces: string[] = []
  for await (const texts of scanRecords(reader, blockedUrls, org)) {
    for (const text of texts) {
      const { id, url } = JSON.parse(text) as BlockedUrl
      pieces.push(JSON.stringify({ id, url }))
    }
  }
  return `[${pieces.join(',')}]`
}

async function otherDomains(reader: Reader, org: number): Promise<string[]> {
  const domains = new Set<string>()
  for await (const texts of scanRecords(reader, appsOther, org)) {
    for (const text of texts) {
      const domain = registrableHost((JSON.parse(text) as AppOther).domain)
      if (domain !== undefined) domains.add(domain)
      if (domains.size === otherDomainsMaximum) return [...domains]
    }
  }
  return [...domains]
}
