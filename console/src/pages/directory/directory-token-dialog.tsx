import { scimTokenNameMaximum } from '@muster/contract/console/directory/console-directory'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { IssuedSecret } from '../../ui/dialog/issued-secret.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { bound, CheckField, Form } from '../../ui/form/form.tsx'
import { SecretText } from '../../ui/text/copy-button.tsx'

/** Creates a token for a directory and shows it once. */
export function DirectoryTokenDialog({
  baseUrl,
  onClose,
  onCreated,
}: {
  baseUrl: string
  onClose: () => void
  onCreated: () => void
}) {
  const [name, setName] = useState('')
  const [assignsLicenses, setAssignsLicenses] = useState(true)
  const create = useMutation({
    mutationFn: () => callConsole('createDirectoryToken', { body: { name, assignsLicenses } }),
    onSuccess: onCreated,
  })
  const made = create.data
  if (!made) {
    return (
      <Dialog title="Create token" onClose={onClose}>
        <Form sending={create} action="Create token" disabled={name.trim() === ''} onCancel={onClose}>
          <TextField
            label="Name"
            name="name"
            hint="The directory that uses the token, for example Okta."
            required
            maxLength={scimTokenNameMaximum}
            {...bound(name, setName)}
          />
          <CheckField checked={assignsLicenses} onChange={setAssignsLicenses}>
            Give users a license when they become active
          </CheckField>
        </Form>
      </Dialog>
    )
  }
  return (
    <IssuedSecret
      title={`Token “${made.name}”`}
      notice="Copy the token now. It will not be shown again."
      parts={{
        Token: <SecretText text={made.token} label="Copy token" />,
        'Base URL': <SecretText text={baseUrl} label="Copy URL" />,
      }}
      onClose={onClose}
    />
  )
}
