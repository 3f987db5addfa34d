import { createHash } from 'node:crypto'
import { ApiError, notFound } from '@muster/contract/api/errors'
import { products } from '@muster/contract/catalog/products'
import {
  type ControlProduct,
  choicesShown,
  type controlsOperations,
} from '@muster/contract/console/console-controls'
import { apps } from '@muster/contract/records/app'
import { blockedUrls } from '@muster/contract/records/blocked-url'
import type { Controls } from '@muster/contract/records/controls'
import { employees } from '@muster/contract/records/employee'
import { recordAuditEvents } from '../../kernel/actions/audit-record-changes.ts'
import { blockedUrlAuditEvents } from '../../kernel/actions/record-audit-events.rules.ts'
import { readControls } from '../../kernel/organizations/organization-controls.ts'
import { bumpPolicyRevision } from '../../kernel/organizations/policy-revision.ts'
import { facetCounter } from '../../kernel/query/facet-filters.ts'
import { distinctValues } from '../../kernel/store/distinct-values.ts'
import { getRecord, removeRecord } from '../../kernel/store/records.ts'
import { listCatalogProducts } from '../catalog/catalog-products.service.ts'
import { auditContext } from '../console/audit-context.ts'
import type { ConsoleHandlers } from '../console/console-bind.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import { countStolenCredentials } from '../overview/overview-counts.service.ts'
import { countActiveBrowsers, countEmployees, countExtension } from '../overview/overview-reach.service.ts'
import { blockPatterns } from './block-patterns.ts'
import { changeControlsBy } from './change-controls.ts'
import { checkPatterns } from './check-patterns.ts'
import { countReachedApps } from './reached-apps.ts'

/** Returns the controls with a version that identifies their state. */
const withVersion = (controls: Controls) => ({
  controls,
  version: createHash('sha256').update(JSON.stringify(controls)).digest('base64url').slice(0, 22),
})

const productView = (product: (typeof products)[number]): ControlProduct => ({
  appType: product.appType,
  friendlyName: product.friendlyName,
  identityProvider: product.identityProvider !== undefined,
})

/** Returns the first values, up to the number of choices shown. */
async function firstValues(parts: AsyncIterable<readonly string[]>): Promise<string[]> {
  const values: string[] = []
  for await (const part of parts) {
    values.push(...part)
    if (values.length >= choicesShown) break
  }
  return values.slice(0, choicesShown)
}

/** Shared collator: `localeCompare` would create one per comparison. */
const nameOrder = new Intl.Collator('en')

/** Returns the name in an extension record. */
function extensionName(record: string | undefined): string {
  if (record === undefined) return ''
  const { name } = JSON.parse(record) as { name?: unknown }
  return typeof name === 'string' ? name : ''
}

export function controlsHandlers(parts: ConsoleParts): ConsoleHandlers<keyof typeof controlsOperations> {
  const { db, makeId } = parts

  return {
    readControls: async ({ caller }) => withVersion(await readControls(db, caller.administrator.org)),

    changeControls: async ({ caller, origin }, { seen, change }) => {
      const { org } = caller.administrator
      return db.inTransaction(async (tx) => {
        await tx.lock(`controls ${org}`)
        if (withVersion(await readControls(tx, org)).version !== seen) {
          throw new ApiError(
            'conflict',
            'Another administrator changed the controls. Reload the page and make your change again.',
          )
        }
        return withVersion(await changeControlsBy(tx, org, change, auditContext({ caller, origin })))
      })
    },

    readControlChoices: async ({ caller }) => {
      const { org } = caller.administrator
      const own = await listCatalogProducts(db, org)
      const byType = new Map([...products, ...own].map((product) => [product.appType, product]))
      return {
        products: [...byType.values()]
          .map(productView)
          .sort((one, other) => nameOrder.compare(one.friendlyName, other.friendlyName)),
        groups: await firstValues(distinctValues(db.slow, org, employees, 'groups')),
        labels: await firstValues(distinctValues(db.slow, org, apps, 'labels')),
      }
    },

    previewScope: async ({ caller }, scope) => {
      const { org } = caller.administrator
      return {
        employees: await countEmployees(db.slow, org, scope),
        allEmployees: await facetCounter(db, org)(employees, { licensed: true }),
        browsers: await countActiveBrowsers(db.slow, org, scope),
        apps: await countReachedApps(db, org, scope),
      }
    },

    previewExtensions: async ({ caller }, { extensionIds }) => {
      const { org } = caller.administrator
      const extensions = []
      for (const extensionId of extensionIds) {
        const { count, record } = await countExtension(db.slow, org, extensionId)
        extensions.push({ extensionId, name: extensionName(record), browsers: count })
      }
      return { extensions }
    },

    addBlockedUrls: async ({ caller, origin }, { patterns, allowPublicSuffix = false }) => {
      const { org } = caller.administrator
      const { valid, invalid } = checkPatterns(patterns, allowPublicSuffix)
      const { nowSeconds } = origin
      const { actor } = auditContext({ caller, origin })
      const { added } = await db.inTransaction((tx) =>
        blockPatterns(tx, { org, nowSeconds, makeId, actor }, valid),
      )
      return { added, known: valid.length - added, refused: invalid }
    },

    deleteBlockedUrl: async ({ caller, origin }, _body, id) => {
      const { org } = caller.administrator
      return db.inTransaction(async (tx) => {
        const stored = await getRecord(tx, blockedUrls, org, id)
        if (!stored) throw notFound()
        await removeRecord(tx, blockedUrls, org, stored)
        await bumpPolicyRevision(tx, org, origin.nowSeconds)
        const acts = blockedUrlAuditEvents([{ before: stored.record, after: null }])
        await recordAuditEvents(tx, org, auditContext({ caller, origin }), acts)
        return stored.record
      })
    },

    readStolenCredentials: ({ caller }) => countStolenCredentials(db.slow, caller.administrator.org),
  }
}
