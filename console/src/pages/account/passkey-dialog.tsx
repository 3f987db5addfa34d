import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { addPasskey } from '../../data/use-passkey.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { bound, Form } from '../../ui/form/form.tsx'
import { browserText } from '../../ui/text/user-agent.ts'

/** Adds a passkey on this or another device. */
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
    <Dialog title="Add passkey" onClose={onClose} narrow>
      <Form sending={add} action="Continue" onCancel={onClose}>
        <TextField
          label="Name"
          name="name"
          hint="Helps you recognize this passkey."
          required
          maxLength={64}
          {...bound(name, setName)}
        />
      </Form>
    </Dialog>
  )
}
