import type { KeyPermission } from '@muster/contract/console/console-keys'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { useSession } from '../../data/session.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { ChoiceField, TextField } from '../../ui/form/field.tsx'
import { bound, Form } from '../../ui/form/form.tsx'
import { nowSeconds } from '../../ui/text/moment-text.ts'
import { IssuedKey } from './issued-key.tsx'

const permissions: readonly (readonly [KeyPermission, string])[] = [
  ['READ_ONLY', 'Read only – GET requests'],
  ['FULL_ACCESS', 'Full access – all requests'],
]
const lifetimes: readonly (readonly [days: string, text: string])[] = [
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', '1 year'],
  ['', 'Never'],
]

/** Creates an API key and shows it. */
export function CreateKeyDialog({ onClose, onCreated }: { onClose: () => void; onCreated: () => void }) {
  const { data: session } = useSession()
  const people = useQuery({ queryKey: ['administrators'], queryFn: () => callConsole('listAdministrators') })
  const [name, setName] = useState('')
  const [permission, setPermission] = useState<KeyPermission>('READ_ONLY')
  const [holder, setHolder] = useState(session?.administrator?.email ?? '')
  const [days, setDays] = useState('90')
  const create = useMutation({
    mutationFn: () => {
      const expiryTimestamp = days === '' ? null : nowSeconds() + Number(days) * 86_400
      return callConsole('createKey', { body: { name, permission, holder, expiryTimestamp } })
    },
    onSuccess: () => void onCreated(),
  })
  if (create.data) return <IssuedKey made={create.data} onClose={onClose} />
  const holders = people.data?.administrators.map(({ email }) => email) ?? [holder]
  return (
    <Dialog title="Create API key" onClose={onClose}>
      <Form sending={create} action="Create key" onCancel={onClose}>
        <TextField
          label="Name"
          name="name"
          hint="What the key is used for, for example the name of a program."
          required
          maxLength={128}
          {...bound(name, setName)}
        />
        <ChoiceField label="Permission" choices={permissions} {...bound(permission, setPermission)} />
        <ChoiceField
          label="Holder"
          name="holder"
          hint="All keys of a holder share one rate limit."
          choices={holders.map((email) => [email, email])}
          {...bound(holder, setHolder)}
        />
        <ChoiceField label="Expires" choices={lifetimes} {...bound(days, setDays)} />
      </Form>
    </Dialog>
  )
}
