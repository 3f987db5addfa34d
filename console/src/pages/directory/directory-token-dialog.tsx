import { scimTokenNameMaximum } from '@muster/contract/console/directory/console-directory'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { PushButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
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
    <Dialog title={`Token “${made.name}”`} onClose={onClose}>
      <p className="notice warn">Copy the token now. It will not be shown again.</p>
      <div className="stack tight">
        <h3>Token</h3>
        <SecretText text={made.token} label="Copy token" />
      </div>
      <div className="stack tight">
        <h3>Base URL</h3>
        <SecretText text={baseUrl} label="Copy URL" />
      </div>
      <div className="dialog-actions">
        <PushButton kind="primary" onClick={onClose}>
          I have copied it
        </PushButton>
      </div>
    </Dialog>
  )
}
