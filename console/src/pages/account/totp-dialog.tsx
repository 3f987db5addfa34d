import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { PushButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { FormError, TextField } from '../../ui/form/field.tsx'
import { Form } from '../../ui/form/form.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { SecretText } from '../../ui/text/copy-button.tsx'

/** Sets up an authenticator app: shows the secret and verifies a code. */
export function TotpDialog({
  onClose,
  onAdded,
}: {
  onClose: () => void
  onAdded: (recoveryCodes: readonly string[] | null) => void
}) {
  const [code, setCode] = useState('')
  const begin = useQuery({
    queryKey: ['totp-secret'],
    queryFn: () => callConsole('beginTotp'),
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  })
  const confirm = useMutation({
    mutationFn: () => callConsole('confirmTotp', { body: { code } }),
    onSuccess: ({ recoveryCodes }) => onAdded(recoveryCodes),
  })
  return (
    <Dialog title="Set up authenticator app" onClose={onClose} narrow>
      <FormError error={begin.error} />
      {begin.data && (
        <Form sending={confirm} action="Confirm" onCancel={onClose}>
          <p>Scan this QR code with your authenticator app, or enter the secret manually.</p>
          <QrCode text={begin.data.uri} label="QR code of the secret" />
          <SecretText text={begin.data.secret} label="Copy secret" />
          <TextField
            label="Code from the app"
            name="code"
            className="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            pattern="[0-9]{6}"
            maxLength={6}
            required
            value={code}
            onChange={(event) => setCode(event.target.value.replaceAll(/\D/g, ''))}
          />
        </Form>
      )}
      {!begin.data && (
        <div className="dialog-actions">
          <PushButton onClick={onClose}>Cancel</PushButton>
        </div>
      )}
    </Dialog>
  )
}
