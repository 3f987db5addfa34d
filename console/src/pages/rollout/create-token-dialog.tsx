import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { IssuedSecret } from '../../ui/dialog/issued-secret.tsx'
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
    <IssuedSecret
      title={`Token “${made.name}”`}
      notice="Copy the token or download the policy files now. The token will not be shown again."
      parts={{
        Token: <SecretText text={made.token} label="Copy token" />,
        'Policy files with this token': <PolicyFiles serverUrl={serverUrl} token={made.token} />,
      }}
      onClose={onClose}
    />
  )
}
