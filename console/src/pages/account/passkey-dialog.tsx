import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { addPasskey } from '../../data/use-passkey.ts'
import { PushButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError, mistakeOf, TextField } from '../../ui/field.tsx'
import { browserText } from '../../ui/user-agent.ts'

/** Adds a passkey of this device, or of one that is at hand. */
export function PasskeyDialog({
  onClose,
  onAdded,
}: {
  onClose: () => void
  onAdded: (recoveryCodes: readonly string[] | null) => void
}) {
  const [name, setName] = useState(() => browserText(navigator.userAgent))
  const add = useMutation({
    mutationFn: () => addPasskey(name),
    onSuccess: ({ recoveryCodes }) => onAdded(recoveryCodes),
  })
  return (
    <Dialog title="Add a passkey" onClose={onClose} narrow>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          add.mutate()
        }}
      >
        <TextField
          label="Name"
          hint="So that you can tell your passkeys apart."
          required
          maxLength={64}
          error={mistakeOf(add.error, 'name')}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <FormError error={add.error} fields={['name']} />
        <div className="dialog-actions">
          <PushButton onClick={onClose}>Cancel</PushButton>
          <PushButton kind="primary" type="submit" busy={add.isPending}>
            Continue
          </PushButton>
        </div>
      </form>
    </Dialog>
  )
}
