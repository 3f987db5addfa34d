import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { PushButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FormError, mistakeOf, TextField } from '../../ui/field.tsx'
import { tell } from '../../ui/toasts.tsx'

/** Changes one's password. */
export function PasswordCard({ hasPassword }: { hasPassword: boolean }) {
  const [open, setOpen] = useState(false)
  return (
    <Card
      title="Password"
      actions={
        !open && (
          <PushButton onClick={() => setOpen(true)}>
            {hasPassword ? 'Change it' : 'Set a password'}
          </PushButton>
        )
      }
    >
      {open ? (
        <PasswordForm hasPassword={hasPassword} onDone={() => setOpen(false)} />
      ) : (
        <p className="soft">
          {hasPassword ? 'You sign in with a password.' : 'You sign in without a password of this console.'}
        </p>
      )}
    </Card>
  )
}

function PasswordForm({ hasPassword, onDone }: { hasPassword: boolean; onDone: () => void }) {
  const [currentPassword, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const change = useMutation({
    mutationFn: () =>
      callConsole('changePassword', { body: { password, ...(hasPassword ? { currentPassword } : {}) } }),
    onSuccess: () => {
      tell('The password is changed. All other sessions have ended.')
      onDone()
    },
  })
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        change.mutate()
      }}
    >
      {hasPassword && (
        <TextField
          label="Present password"
          type="password"
          autoComplete="current-password"
          required
          value={currentPassword}
          onChange={(event) => setCurrent(event.target.value)}
        />
      )}
      <TextField
        label="New password"
        type="password"
        autoComplete="new-password"
        required
        hint="At least 12 characters."
        error={mistakeOf(change.error, 'password')}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <FormError error={change.error} fields={['password']} />
      <div className="row">
        <PushButton kind="primary" type="submit" busy={change.isPending}>
          Change the password
        </PushButton>
        <PushButton onClick={onDone}>Cancel</PushButton>
      </div>
    </form>
  )
}
