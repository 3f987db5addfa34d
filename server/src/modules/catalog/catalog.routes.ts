import { ApiError, notFound } from '@muster/contract/api/errors'
import type { Product } from '@muster/contract/catalog/product'
import type { catalogOperations, OwnProduct } from '@muster/contract/console/console-catalog'
import { type AuditedChange, added, removed } from '../../kernel/actions/audit-changes.rules.ts'
import { recordAudit } from '../../kernel/events/audit-trail.ts'
import type { Reader, Tx } from '../../kernel/store/sql.ts'
import { auditContext } from '../console/audit-context.ts'
import type { ConsoleCall, ConsoleHandlers } from '../console/console-bind.ts'
import type { ConsoleParts } from '../console/console-parts.ts'
import { listCatalogProducts } from './catalog-products.service.ts'
import { addCatalogProducts, removeUnreferencedProduct } from './change-catalog.ts'

type Call = Pick<ConsoleCall, 'caller' | 'origin'>

const auditChange = (tx: Tx, call: Call, change: AuditedChange) =>
  recordAudit(tx, call.caller.administrator.org, 'SETTING_UPDATED', {
    ...auditContext(call),
    new: { setting: 'catalog', changes: [change] },
  })

const ownProducts = async (reader: Reader, org: number) => ({
  products: (await listCatalogProducts(reader, org)) as OwnProduct[],
})

export function catalogHandlers({ db }: ConsoleParts): ConsoleHandlers<keyof typeof catalogOperations> {
  return {
    listOwnProducts: ({ caller }) => ownProducts(db, caller.administrator.org),

    saveOwnProduct: async (call, product) => {
      const { org } = call.caller.administrator
      return db.inTransaction(async (tx) => {
        await addCatalogProducts(tx, org, product as Product, call.origin.nowSeconds)
        await auditChange(tx, call, added('product', product.appType))
        return ownProducts(tx, org)
      })
    },

    removeOwnProduct: async (call, { appType }) => {
      const { org } = call.caller.administrator
      return db.inTransaction(async (tx) => {
        const { isRemoved, namedAt } = await removeUnreferencedProduct(
          tx,
          org,
          appType,
          call.origin.nowSeconds,
        )
        if (namedAt.length > 0) {
          throw new ApiError(
            'conflict',
            `The controls name ${appType} at ${namedAt.join(', ')}. Remove it there first.`,
          )
        }
        if (!isRemoved) throw notFound()
        await auditChange(tx, call, removed('product', appType))
        return ownProducts(tx, org)
      })
    },
  }
}
