import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { PushButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { bound, Form } from '../../ui/form/form.tsx'
import { SecretText } from '../../ui/text/copy-button.tsx'
import { PolicyFiles } from './policy-files.tsx'

/** Creates an enrollment token and shows it once, with the policy files that contain it. */
export function CreateTokenDialog({
  serverUrl,
  onClose,
  onCreated,
}: {
  serverUrl: string
  onClose: () => void
  onCreated: () => void
}) {
  const [name, setName] = useState('')
  const create = useMutation({
    mutationFn: () => callConsole('createEnrollmentToken', { body: { name } }),
    onSuccess: onCreated,
  })
  const made = create.data
  if (!made) {
    return (
      <Dialog title="Create enrollment token" onClose={onClose}>
        <Form sending={create} action="Create token" disabled={name.trim() === ''} onCancel={onClose}>
          <TextField
            label="Name"
            name="name"
            hint="Purpose of the token, for example a group of devices."
            required
            maxLength={128}
            {...bound(name, setName)}
          />
        </Form>
      </Dialog>
    )
  }
  return (
    <Dialog title={`Token “${made.name}”`} onClose={onClose}>
      <p className="notice warn">
        Copy the token or download the policy files now. The token will not be shown again.
      </p>
      <div className="stack tight">
        <h3>Token</h3>
        <SecretText text={made.token} label="Copy token" />
      </div>
      <div className="stack tight">
        <h3>Policy files with this token</h3>
        <PolicyFiles serverUrl={serverUrl} token={made.token} />
      </div>
      <div className="dialog-actions">
        <PushButton kind="primary" onClick={onClose}>
          I have copied it
        </PushButton>
      </div>
    </Dialog>
  )
}
