import type { SignInState } from '@muster/contract/console/console-session'
import { useMutation } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { setSession } from '../../data/session.ts'
import { useSignInError } from '../../data/sign-in-error.ts'
import { TextField } from '../../ui/form/field.tsx'
import { bound, Form } from '../../ui/form/form.tsx'
import { EntryCard } from './entry-card.tsx'
import { SecondStep } from './second-step.tsx'

/**
 * Sign-in page.
 *
 * @param again true if it covers a page with unsaved work
 */
export function SignInPage({ state, again = false }: { state: SignInState; again?: boolean }) {
  if (state.state === 'SECOND_FACTOR') return <SecondStep factors={state.secondFactors} />
  if (state.setupNeeded) return <SetupNeeded />
  return <FirstStep oidcName={state.oidcName} again={again} />
}

function SetupNeeded() {
  return (
    <EntryCard title="Setup required">
      <p>This console has no administrator yet.</p>
      <p className="soft">
        Muster printed a one-time setup link when it started. Open that link to become the first
        administrator. Restart Muster to print it again.
      </p>
    </EntryCard>
  )
}

function FirstStep({ oidcName, again }: { oidcName: string | null; again: boolean }) {
  const { href } = useLocation()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const signIn = useMutation({
    mutationFn: () => callConsole('signIn', { body: { email, password } }),
    onSuccess: setSession,
  })
  const oidcError = useSignInError('signIn')
  return (
    <EntryCard title="Sign in">
      {oidcError !== undefined && (
        <p className="notice bad" role="alert">
          {oidcError}
        </p>
      )}
      {again && (
        <p className="notice warn">
          Your session has expired. Sign in to continue where you left off. Your work is kept unless somebody
          else signs in.
        </p>
      )}
      <Form sending={signIn} kind="primary wide" action="Sign in">
        <TextField
          label="E-mail address"
          inputMode="email"
          autoCapitalize="none"
          autoComplete="username"
          required
          autoFocus
          {...bound(email, setEmail)}
        />
        <TextField
          label="Password"
          type="password"
          autoComplete="current-password"
          required
          {...bound(password, setPassword)}
        />
      </Form>
      {oidcName !== null && (
        <>
          <p className="divider">or</p>
          <a
            className="button wide"
            {...(again ? { target: '_blank' } : {})}
            href={`/console/api/oidc/start?${new URLSearchParams({ returnTo: `/console${href}` })}`}
          >
            Continue with {oidcName}
          </a>
          {again && <p className="soft small">Opens in a new tab. Sign in there, then return to this one.</p>}
        </>
      )}
      <p className="soft small">Forgot your password? An owner can send you a reset link.</p>
    </EntryCard>
  )
}
