import type { Administrator } from '@muster/contract/console/console-fields'
import type { Role } from '@muster/contract/console/console-operation'
import { useMutation } from '@tanstack/react-query'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { reloadSession } from '../../data/session.ts'
import { Confirm } from '../../ui/dialog/confirm.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { ActionMenu } from '../../ui/dialog/menu.tsx'
import { ChoiceField } from '../../ui/form/field.tsx'
import { bound, CheckField, Form } from '../../ui/form/form.tsx'
import { roleChoices } from './invite-dialog.tsx'
import { LinkCreated } from './link-created.tsx'

type Open = 'role' | 'reset' | 'remove'

/** Actions of an owner on an administrator. */
export function AdministratorMenu({ person, onChanged }: { person: Administrator; onChanged: () => void }) {
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const changed = () => {
    onChanged()
    void reloadSession()
  }
  return (
    <>
      <ActionMenu
        label={`Actions for ${person.name || person.email}`}
        className="button quiet icon"
        actions={[
          { id: 'role', text: 'Change role', run: () => setOpen('role') },
          { id: 'reset', text: 'Reset sign-in', run: () => setOpen('reset') },
          { id: 'remove', text: 'Remove', run: () => setOpen('remove') },
        ]}
      >
        <Ellipsis />
      </ActionMenu>
      {open === 'role' && <RoleDialog person={person} onClose={close} onChanged={changed} />}
      {open === 'reset' && <ResetDialog person={person} onClose={close} onChanged={changed} />}
      {open === 'remove' && <RemoveDialog person={person} onClose={close} onChanged={changed} />}
    </>
  )
}

interface OfPerson {
  readonly person: Administrator
  readonly onClose: () => void
  readonly onChanged: () => void
}

function RoleDialog({ person, onClose, onChanged }: OfPerson) {
  const [role, setRole] = useState<Role>(person.role)
  const change = useMutation({
    mutationFn: () => callConsole('changeAdministrator', { id: person.id, body: { role } }),
    onSuccess: () => {
      onChanged()
      onClose()
    },
  })
  return (
    <Dialog title={`Change role of ${person.name || person.email}`} onClose={onClose}>
      <Form sending={change} action="Change role" onCancel={onClose}>
        <ChoiceField label="Role" choices={roleChoices} {...bound(role, setRole)} />
        {role === 'READ_ONLY' && person.role !== role && <p>Their full-access API keys will be revoked.</p>}
        {person.role === 'OWNER' && role !== 'OWNER' && (
          <p>Invitation and reset links that they created stop working.</p>
        )}
      </Form>
    </Dialog>
  )
}

function ResetDialog({ person, onClose, onChanged }: OfPerson) {
  const [removeSecondFactors, setRemove] = useState(false)
  const reset = useMutation({
    mutationFn: () => callConsole('resetAdministrator', { id: person.id, body: { removeSecondFactors } }),
    onSuccess: () => void onChanged(),
  })
  if (reset.data) return <LinkCreated title="Link created" made={reset.data} onClose={onClose} />
  return (
    <Dialog title={`Reset sign-in for ${person.name || person.email}?`} onClose={onClose}>
      <Form sending={reset} action="Send link" onCancel={onClose}>
        <p>
          They receive a link to set a new password.{' '}
          {removeSecondFactors
            ? 'The current password stops working immediately, and all their sessions end.'
            : 'The current password works until they use the link.'}
        </p>
        <CheckField checked={removeSecondFactors} onChange={setRemove}>
          Also remove their authenticator app, passkeys and recovery codes
        </CheckField>
      </Form>
    </Dialog>
  )
}

function RemoveDialog({ person, onClose, onChanged }: OfPerson) {
  const [revokeKeys, setRevoke] = useState(true)
  return (
    <Confirm
      title={`Remove ${person.name || person.email}?`}
      action="Remove"
      run={() => callConsole('removeAdministrator', { id: person.id, body: { revokeKeys } })}
      onDone={onChanged}
      onClose={onClose}
    >
      <p>All their sessions end immediately, and links that they created stop working.</p>
      <CheckField checked={revokeKeys} onChange={setRevoke}>
        Also revoke their API keys
      </CheckField>
    </Confirm>
  )
}
