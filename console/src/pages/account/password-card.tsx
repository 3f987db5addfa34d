import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { PushButton } from '../../ui/button.tsx'
import { showToast } from '../../ui/dialog/toasts.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { bound, Form } from '../../ui/form/form.tsx'
import { Card } from '../../ui/page/card.tsx'
import { useReloadSignIn } from './use-reload-sign-in.ts'

/** Sets or changes the administrator's password. */
export function PasswordCard({ hasPassword }: { hasPassword: boolean }) {
  const [open, setOpen] = useState(false)
  return (
    <Card
      title="Password"
      actions={
        !open && (
          <PushButton onClick={() => setOpen(true)}>
            {hasPassword ? 'Change password' : 'Set password'}
          </PushButton>
        )
      }
    >
      {open ? (
        <PasswordForm hasPassword={hasPassword} onDone={() => setOpen(false)} />
      ) : (
        <p className="soft">
          {hasPassword ? 'You sign in with a password.' : 'You have no password for this console.'}
        </p>
      )}
    </Card>
  )
}

function PasswordForm({ hasPassword, onDone }: { hasPassword: boolean; onDone: () => void }) {
  const reload = useReloadSignIn()
  const [currentPassword, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const change = useMutation({
    mutationFn: () =>
      callConsole('changePassword', { body: { password, ...(hasPassword ? { currentPassword } : {}) } }),
    onSuccess: () => {
      showToast('Password changed. All other sessions have ended.')
      onDone()
      return reload()
    },
  })
  return (
    <Form sending={change} action={hasPassword ? 'Change password' : 'Set password'} onCancel={onDone}>
      {hasPassword && (
        <TextField
          label="Current password"
          type="password"
          autoComplete="current-password"
          required
          {...bound(currentPassword, setCurrent)}
        />
      )}
      <TextField
        label="New password"
        name="password"
        type="password"
        autoComplete="new-password"
        required
        hint="At least 12 characters."
        {...bound(password, setPassword)}
      />
    </Form>
  )
}
