import { ApiError } from '@muster/contract/api/errors'
import { createCatalog } from '@muster/contract/catalog/catalog'
import { isConsumerProduct } from '@muster/contract/catalog/product-categories'
import { products } from '@muster/contract/catalog/products'
import { auditListMaximum } from '@muster/contract/events/event-audit-records'
import { added, removed } from '../../kernel/actions/audit-changes.rules.ts'
import { auditCliChange } from '../../kernel/cli/cli-actor.ts'
import { CommandFailure, defineCommand } from '../../kernel/cli/command.ts'
import { mistakesOf, readJsonFile } from '../../kernel/cli/read-json.ts'
import { textTable } from '../../kernel/cli/text-table.ts'
import { organizationNamed, orgOption, withStore } from '../../kernel/cli/with-store.ts'
import { systemClock, unixSeconds } from '../../kernel/lib/clock.ts'
import { didYouMean } from '../../kernel/lib/nearest.ts'
import { listCatalogProducts } from './catalog-products.service.ts'
import { addCatalogProducts, removeUnreferencedProduct } from './change-catalog.ts'

/** `muster catalog list` */
export const catalogList = defineCommand({
  name: 'catalog list',
  summary: 'List the products of the catalog, including those that the organization added',
  needsStore: true,
  json: true,
  options: { org: orgOption, own: { type: 'flag', help: 'only products that the organization added' } },
  details: 'Examples:\n  muster catalog list\n  muster catalog list --own --json',
  async run(context, { options }) {
    const own = await withStore(context.config(), async (db) =>
      listCatalogProducts(db, (await organizationNamed(db, options.org)).no),
    )
    const listed = options.own ? own : createCatalog(products, own).all
    if (context.json) return context.printJson(listed)
    if (listed.length === 0)
      return context.note('The organization has not added any products. Add them with muster catalog add.')
    const added = new Set(own.map(({ appType }) => appType))
    const rows = listed.map((product) => [
      product.appType,
      product.friendlyName,
      product.domains.join(' '),
      (product.categories ?? []).join(' '),
      [
        ...(product.identityProvider === undefined ? [] : ['identity provider']),
        ...(isConsumerProduct(product) ? ['consumer'] : []),
        ...(added.has(product.appType) ? ['own'] : []),
      ].join(', '),
    ])
    context.print(textTable(['TOKEN', 'NAME', 'DOMAINS', 'CATEGORIES', 'NOTES'], rows))
  },
})

/** `muster catalog add` */
export const catalogAdd = defineCommand({
  name: 'catalog add',
  summary: "Add products to an organization's catalog, or change added products",
  json: true,
  positionals: [
    { name: 'FILE', help: 'JSON: a product or a list of them, or - for standard input', required: true },
  ],
  options: { org: orgOption },
  details: `From then on, the domains of a product are an app of the catalog. Existing apps (other) on these domains are not
  changed.

Example:
  echo '{"appType": "INTRANET", "friendlyName": "Intranet", "website": "https://intranet.example.com",
    "description": "News for employees.", "domains": ["intranet.example.com"],
    "loginHosts": ["intranet.example.com"]}' | muster catalog add -`,
  async run(context, { options, words: [path = ''] }) {
    const given = await readJsonFile(context, path)
    const saved = await withStore(context.config(), async (db) => {
      const { no } = await organizationNamed(db, options.org)
      return db.inTransaction(async (tx) => {
        const products = await addCatalogProducts(tx, no, given, unixSeconds(systemClock))
        const changes = products.map(({ appType }) => added('product', appType))
        await auditCliChange(tx, no, 'catalog', changes.slice(0, auditListMaximum))
        return products
      })
    }).catch((error: unknown) => {
      throw error instanceof ApiError ? mistakesOf(path, error) : error
    })
    if (context.json) context.printJson(saved)
    else context.print(`Added to the catalog: ${saved.map(({ appType }) => appType).join(', ')}.`)
  },
})

/** `muster catalog remove` */
export const catalogRemove = defineCommand({
  name: 'catalog remove',
  summary: 'Remove an added product; its apps and accounts stay',
  needsStore: true,
  json: true,
  positionals: [{ name: 'TOKEN', help: 'token of the product', required: true }],
  options: { org: orgOption },
  details: `A product that the controls name cannot be removed. Remove it from the controls first.

Example:
  muster catalog remove INTRANET`,
  async run(context, { options, words: [appType = ''] }) {
    await withStore(context.config(), async (db) => {
      const { no } = await organizationNamed(db, options.org)
      const nowSeconds = unixSeconds(systemClock)
      const { isRemoved, namedAt } = await db.inTransaction(async (tx) => {
        const outcome = await removeUnreferencedProduct(tx, no, appType, nowSeconds)
        if (outcome.isRemoved) await auditCliChange(tx, no, 'catalog', [removed('product', appType)])
        return outcome
      })
      if (isRemoved) return
      if (namedAt.length > 0)
        throw new CommandFailure(
          `${appType} was not removed because the controls name it at ${namedAt.join(', ')}. Remove it there first with muster controls set.`,
        )
      const own = (await listCatalogProducts(db, no)).map((product) => product.appType)
      throw new CommandFailure(
        `The organization has not added a product ${JSON.stringify(appType)}.${didYouMean(appType, own)} muster catalog list --own lists added products.`,
      )
    })
    if (context.json) context.printJson({ appType })
    else context.print(`Removed ${appType} from the catalog.`)
  },
})
