import type { Role } from '@muster/contract/console/console-operation'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { ChoiceField, TextField } from '../../ui/form/field.tsx'
import { bound, Form } from '../../ui/form/form.tsx'
import { LinkCreated } from './link-created.tsx'

/** Roles with descriptions. */
export const roleChoices: readonly (readonly [Role, string])[] = [
  ['READ_ONLY', 'Read only – can view everything'],
  ['FULL_ACCESS', 'Full access – everything except administrators and settings'],
  ['OWNER', 'Owner – everything'],
]

/** Invites an administrator, and shows the link in case the e-mail does not arrive. */
export function InviteDialog({ onClose, onInvited }: { onClose: () => void; onInvited: () => void }) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('READ_ONLY')
  const invite = useMutation({
    mutationFn: () => callConsole('inviteAdministrator', { body: { email, role } }),
    onSuccess: () => void onInvited(),
  })
  if (invite.data)
    return <LinkCreated title={`Invitation for ${email} created`} made={invite.data} onClose={onClose} />
  return (
    <Dialog title="Invite administrator" onClose={onClose}>
      <Form sending={invite} action="Send invitation" onCancel={onClose}>
        <TextField
          label="E-mail address"
          name="email"
          inputMode="email"
          autoCapitalize="none"
          required
          {...bound(email, setEmail)}
        />
        <ChoiceField label="Role" choices={roleChoices} {...bound(role, setRole)} />
      </Form>
    </Dialog>
  )
}
