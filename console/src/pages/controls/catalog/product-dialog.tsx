import type { Product } from '@muster/contract/catalog/product'
import type { OwnProduct } from '@muster/contract/console/console-catalog'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callConsole } from '../../../data/call.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { showToast } from '../../../ui/dialog/toasts.tsx'
import { TextArea, TextField } from '../../../ui/form/field.tsx'
import { bound, CheckField, Form } from '../../../ui/form/form.tsx'
import { useChoices } from '../use-controls.ts'
import { draftOf, emptyDraft, type ProductDraft, productOf, productToken } from './product-draft.ts'

/** Adds or edits an app or identity provider of the organization. */
export function ProductDialog({
  product,
  known,
  onClose,
  onSaved,
}: {
  /** Undefined to add a new one. */
  product: Product | undefined
  known: readonly Product[]
  onClose: () => void
  onSaved: () => Promise<void>
}) {
  const [draft, setDraft] = useState<ProductDraft>(product ? draftOf(product) : emptyDraft)
  const set = (part: Partial<ProductDraft>) => setDraft({ ...draft, ...part })
  const taken = [...known, ...(useChoices().data?.products ?? [])].map(({ appType }) => appType)
  const appType = product?.appType ?? productToken(draft.name, taken)
  const isComplete =
    draft.name.trim() !== '' && draft.hosts.trim() !== '' && (!draft.isProvider || draft.words.trim() !== '')
  const save = useMutation({
    mutationFn: () => {
      const { website, description, ...given } = productOf(draft, appType)
      const details = {
        website: product?.website ?? website,
        description: product?.description ?? description,
      }
      return callConsole('saveOwnProduct', { body: { ...given, ...details } as OwnProduct })
    },
    onSuccess: async () => {
      await onSaved()
      onClose()
      showToast(`${draft.name.trim()} saved. Browsers apply the change at their next check-in.`)
    },
  })
  return (
    <Dialog title={product ? `Edit ${product.friendlyName}` : 'Add app or provider'} onClose={onClose}>
      <Form sending={save} action={product ? 'Save' : 'Add'} disabled={!isComplete} onCancel={onClose}>
        <TextField
          label="Name"
          name="friendlyName"
          hint={`Appears as ${appType} in events and the API.`}
          maxLength={256}
          {...bound(draft.name, (name) => set({ name }))}
        />
        <CheckField checked={draft.isProvider} onChange={(isProvider) => set({ isProvider })}>
          Identity provider (people use it to sign in to other apps)
        </CheckField>
        <TextArea
          label={draft.isProvider ? 'Hosts of the sign-in page, one per line' : 'Hosts, one per line'}
          name="domains"
          hint="sso.example.com covers the host and all its subdomains. List only hosts of this app, not your whole domain: other apps on it would count as part of it."
          rows={3}
          spellCheck={false}
          {...bound(draft.hosts, (hosts) => set({ hosts }))}
        />
        {draft.isProvider && (
          <TextArea
            label="Brand names on the sign-in page, one per line"
            name="brandWords"
            hint="The name in its title and heading, such as Acme. A page on another host that shows the same name and asks for a password counts as a copy."
            rows={3}
            {...bound(draft.words, (words) => set({ words }))}
          />
        )}
      </Form>
    </Dialog>
  )
}
