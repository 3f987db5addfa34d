import '../../../styles/controls-pages.css'
import type { Product } from '@muster/contract/catalog/product'
import type { OwnProduct } from '@muster/contract/console/console-catalog'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { callConsole } from '../../../data/call.ts'
import { useHasRole } from '../../../data/session.ts'
import { Badge } from '../../../ui/badge.tsx'
import { PushButton } from '../../../ui/button.tsx'
import { useNewDialog } from '../../../ui/dialog/use-new-dialog.ts'
import { useUndoable } from '../../../ui/dialog/use-undoable.ts'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Page } from '../../../ui/page/page.tsx'
import { PageHead } from '../../../ui/page/page-head.tsx'
import { ProductDialog } from './product-dialog.tsx'

const productsKey = ['own-products']

/** Apps and identity providers that the organization added to the catalog. */
export function CatalogPage() {
  const client = useQueryClient()
  const mayWrite = useHasRole('FULL_ACCESS')
  const { data } = useQuery({ queryKey: productsKey, queryFn: () => callConsole('listOwnProducts') })
  const [adding, setAdding] = useNewDialog('Add app or provider', mayWrite)
  const [changed, setChanged] = useState<Product>()
  const products: readonly Product[] = data?.products ?? []
  const reload = async () => {
    await client.invalidateQueries({ queryKey: productsKey })
    await client.invalidateQueries({ queryKey: ['control-choices'] })
  }
  const close = () => {
    setAdding(false)
    setChanged(undefined)
  }
  const add = mayWrite && (
    <PushButton kind="primary" onClick={() => setAdding(true)}>
      <Plus />
      Add app or provider
    </PushButton>
  )
  const none = data && products.length === 0
  return (
    <Page>
      <PageHead title="Custom apps and providers">{!none && add}</PageHead>
      <p className="soft">
        Apps and identity providers that are specific to your organization. Changes apply at the next check-in
        (up to 5 minutes).
      </p>
      {none ? (
        <EmptyState title="No custom apps or providers">
          <p className="soft">
            Add your own identity provider (such as Keycloak or AD FS) to see its sign-ins, protect its
            passwords and detect copies of its sign-in page.
          </p>
          {add}
        </EmptyState>
      ) : (
        data && (
          <section className="card">
            <ul className="lines">
              {products.map((product) => (
                <ProductLine
                  key={product.appType}
                  product={product}
                  mayWrite={mayWrite}
                  onChange={() => setChanged(product)}
                  onRemoved={reload}
                />
              ))}
            </ul>
          </section>
        )
      )}
      {(adding || changed) && (
        <ProductDialog product={changed} known={products} onClose={close} onSaved={reload} />
      )}
    </Page>
  )
}

function ProductLine({
  product,
  mayWrite,
  onChange,
  onRemoved,
}: {
  product: Product
  mayWrite: boolean
  onChange: () => void
  onRemoved: () => Promise<void>
}) {
  const change = useUndoable()
  const { appType, friendlyName, domains, identityProvider } = product
  const remove = () =>
    change.mutate({
      text: `${friendlyName} removed.`,
      run: () => callConsole('removeOwnProduct', { body: { appType } }).then(onRemoved),
      undo: () => callConsole('saveOwnProduct', { body: product as OwnProduct }).then(onRemoved),
    })
  return (
    <li>
      <span className="grow">
        <strong>{friendlyName}</strong> <code className="soft">{appType}</code>
        <br />
        <span className="soft small">{domains.join(', ')}</span>
      </span>
      {identityProvider !== undefined && <Badge>Identity provider</Badge>}
      {mayWrite && (
        <>
          <PushButton kind="quiet" onClick={onChange} aria-label={`Edit ${friendlyName}`}>
            <Pencil />
          </PushButton>
          <PushButton
            kind="quiet"
            busy={change.isPending}
            onClick={remove}
            aria-label={`Remove ${friendlyName}`}
          >
            <Trash2 />
          </PushButton>
        </>
      )}
    </li>
  )
}
