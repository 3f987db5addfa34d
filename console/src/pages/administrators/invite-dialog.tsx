import type { Role } from '@muster/contract/console/console-operation'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { PushButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ChoiceField, FormError, mistakeOf, TextField } from '../../ui/field.tsx'
import { LinkMade } from './link-made.tsx'

/** What each role may do, as it is offered. */
export const roleChoices: readonly (readonly [Role, string])[] = [
  ['READ_ONLY', 'Read only – sees everything, changes nothing'],
  ['FULL_ACCESS', 'Full access – everything but administrators and settings'],
  ['OWNER', 'Owner – everything'],
]

/** Invites a person, and shows the link for when the mail does not arrive. */
export function InviteDialog({ onClose, onInvited }: { onClose: () => void; onInvited: () => void }) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('READ_ONLY')
  const invite = useMutation({
    mutationFn: () => callConsole('inviteAdministrator', { body: { email, role } }),
    onSuccess: onInvited,
  })
  if (invite.data) return <LinkMade title={`${email} is invited`} made={invite.data} onClose={onClose} />
  return (
    <Dialog title="Invite an administrator" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          invite.mutate()
        }}
      >
        <TextField
          label="E-mail address"
          type="email"
          required
          error={mistakeOf(invite.error, 'email')}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <ChoiceField
          label="Role"
          choices={roleChoices}
          value={role}
          onChange={(event) => setRole(event.target.value as Role)}
        />
        <FormError error={invite.error} fields={['email']} />
        <div className="dialog-actions">
          <PushButton onClick={onClose}>Cancel</PushButton>
          <PushButton kind="primary" type="submit" busy={invite.isPending}>
            Invite
          </PushButton>
        </div>
      </form>
    </Dialog>
  )
}
