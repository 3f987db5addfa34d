import { createCatalogue } from '@muster/contract/catalogue/catalogue'
import { isConsumerProduct } from '@muster/contract/catalogue/product-categories'
import { products } from '@muster/contract/catalogue/products'
import { ApiError } from '@muster/contract/errors'
import { auditListMaximum } from '@muster/contract/event-audit-records'
import { added, removed } from '../../kernel/actions/audit-changes.rules.ts'
import { tellCliChange } from '../../kernel/cli/cli-actor.ts'
import { CommandFailure, defineCommand } from '../../kernel/cli/command.ts'
import { mistakesOf, readJsonFile } from '../../kernel/cli/read-json.ts'
import { textTable } from '../../kernel/cli/text-table.ts'
import { organisationNamed, orgOption, withStore } from '../../kernel/cli/with-store.ts'
import { systemClock, unixSeconds } from '../../kernel/lib/clock.ts'
import { didYouMean } from '../../kernel/lib/nearest.ts'
import { listCatalogueProducts } from './catalog-products.service.ts'
import { addCatalogueProducts, removeUnnamedProduct } from './change-catalog.ts'

/** `muster catalogue list` */
export const catalogueList = defineCommand({
  name: 'catalogue list',
  summary: 'List the products by which apps are known, with those that the organisation added',
  needsStore: true,
  json: true,
  options: { org: orgOption, own: { type: 'flag', help: 'only those that the organisation added' } },
  details: 'Examples:\n  muster catalogue list\n  muster catalogue list --own --json',
  async run(context, { options }) {
    const own = await withStore(context.config(), async (db) =>
      listCatalogueProducts(db, (await organisationNamed(db, options.org)).no),
    )
    const listed = options.own ? own : createCatalogue(products, own).all
    if (context.json) return context.printJson(listed)
    if (listed.length === 0)
      return context.note('The organisation added no products. muster catalogue add does.')
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

/** `muster catalogue add` */
export const catalogueAdd = defineCommand({
  name: 'catalogue add',
  summary: "Add products to an organisation's catalogue, or change those that it added",
  json: true,
  positionals: [
    { name: 'FILE', help: 'JSON: a product or a list of them, or - for standard input', required: true },
  ],
  options: { org: orgOption },
  details: `What is seen on the domains of a product from then on is an app of the catalogue. Apps (other) that were
seen on them before stay as they are.

Example:
  echo '{"appType": "INTRANET", "friendlyName": "Intranet", "website": "https://intranet.example.com",
    "description": "Tells news to employees.", "domains": ["intranet.example.com"],
    "loginHosts": ["intranet.example.com"]}' | muster catalogue add -`,
  async run(context, { options, words: [path = ''] }) {
    const given = await readJsonFile(context, path)
    const put = await withStore(context.config(), async (db) => {
      const { no } = await organisationNamed(db, options.org)
      return db.inTransaction(async (tx) => {
        const products = await addCatalogueProducts(tx, no, given, unixSeconds(systemClock))
        const changes = products.map(({ appType }) => added('product', appType))
        await tellCliChange(tx, no, 'catalogue', changes.slice(0, auditListMaximum))
        return products
      })
    }).catch((error: unknown) => {
      throw error instanceof ApiError ? mistakesOf(path, error) : error
    })
    if (context.json) context.printJson(put)
    else context.print(`In the catalogue: ${put.map(({ appType }) => appType).join(', ')}.`)
  },
})

/** `muster catalogue remove` */
export const catalogueRemove = defineCommand({
  name: 'catalogue remove',
  summary: 'Remove a product that the organisation added; its apps and accounts stay',
  needsStore: true,
  json: true,
  positionals: [{ name: 'TOKEN', help: 'the token of the product', required: true }],
  options: { org: orgOption },
  details: `A product that the controls name is not removed: take it out there first.

Example:
  muster catalogue remove INTRANET`,
  async run(context, { options, words: [appType = ''] }) {
    await withStore(context.config(), async (db) => {
      const { no } = await organisationNamed(db, options.org)
      const nowSeconds = unixSeconds(systemClock)
      const { isRemoved, namedAt } = await db.inTransaction(async (tx) => {
        const outcome = await removeUnnamedProduct(tx, no, appType, nowSeconds)
        if (outcome.isRemoved) await tellCliChange(tx, no, 'catalogue', [removed('product', appType)])
        return outcome
      })
      if (isRemoved) return
      if (namedAt.length > 0)
        throw new CommandFailure(
          `${appType} was not removed: the controls name it at ${namedAt.join(', ')}. Take it out there first, with muster controls set.`,
        )
      const own = (await listCatalogueProducts(db, no)).map((product) => product.appType)
      throw new CommandFailure(
        `The organisation added no product ${JSON.stringify(appType)}.${didYouMean(appType, own)} muster catalogue list --own lists them.`,
      )
    })
    if (context.json) context.printJson({ appType })
    else context.print(`${appType} was removed from the catalogue.`)
  },
})
