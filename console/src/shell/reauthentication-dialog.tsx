import { useMutation } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { callConsole } from '../data/call.ts'
import { setReauthenticationPrompt } from '../data/reauthentication.ts'
import { setSession, useSession } from '../data/session.ts'
import { authenticateWithPasskey } from '../data/use-passkey.ts'
import { PushButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { FormError, TextField } from '../ui/form/field.tsx'
import { bound, Form } from '../ui/form/form.tsx'

/** Shows the re-authentication form when a sensitive action requires it. */
export function ReauthenticationDialog() {
  const [open, setOpen] = useState(false)
  const settle = useRef<(proved: boolean) => void>(undefined)
  useEffect(() => {
    setReauthenticationPrompt(() => {
      setOpen(true)
      return new Promise((resolve) => {
        settle.current = resolve
      })
    })
    return () => {
      setReauthenticationPrompt(undefined)
      settle.current?.(false)
    }
  }, [])
  if (!open) return null
  const end = (proved: boolean) => {
    setOpen(false)
    settle.current?.(proved)
    settle.current = undefined
  }
  return <ReauthenticationForm onEnd={end} />
}

function ReauthenticationForm({ onEnd }: { onEnd: (proved: boolean) => void }) {
  const { href } = useLocation()
  const { data: session } = useSession()
  const [value, setValue] = useState('')
  const person = session?.administrator
  const withCode = person?.secondFactors.includes('TOTP') && !person.signsInByPassword
  const done = {
    onSuccess: (state: NonNullable<typeof session>) => {
      setSession(state)
      onEnd(true)
    },
  }
  const byText = useMutation({
    mutationFn: () =>
      callConsole('reauthenticate', { body: withCode ? { totpCode: value } : { password: value } }),
    ...done,
  })
  const byPasskey = useMutation({
    mutationFn: () => authenticateWithPasskey('reauthenticatePasskeyOptions', 'reauthenticateByPasskey'),
    ...done,
  })
  const oidc = `/console/api/oidc/start?${new URLSearchParams({ reauthenticate: 'true', returnTo: `/console${href}` })}`
  return (
    <Dialog title="Confirm it’s you" onClose={() => onEnd(false)} narrow>
      <p className="soft">You won’t be asked again for 10 minutes.</p>
      {(person?.signsInByPassword || withCode) && (
        <Form sending={byText} action="Continue" onCancel={() => onEnd(false)}>
          <TextField
            label={withCode ? 'Authenticator code' : 'Password'}
            type={withCode ? 'text' : 'password'}
            inputMode={withCode ? 'numeric' : undefined}
            autoComplete={withCode ? 'one-time-code' : 'current-password'}
            required
            autoFocus
            {...bound(value, setValue)}
          />
        </Form>
      )}
      {person?.secondFactors.includes('PASSKEY') && (
        <PushButton kind="wide" busy={byPasskey.isPending} onClick={() => byPasskey.mutate()}>
          <KeyRound />
          Use a passkey
        </PushButton>
      )}
      <FormError error={byPasskey.error} />
      {session?.oidcName && person?.signsInByOidc && (
        <a className="button wide" href={oidc}>
          Use {session.oidcName}
        </a>
      )}
    </Dialog>
  )
}
