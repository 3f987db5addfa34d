import type { SecondFactor } from '@muster/contract/console/console-fields'
import { useMutation } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { setSession } from '../../data/session.ts'
import { authenticateWithPasskey } from '../../data/use-passkey.ts'
import { PushButton } from '../../ui/button.tsx'
import { FormError, TextField } from '../../ui/form/field.tsx'
import { Form } from '../../ui/form/form.tsx'
import { EntryCard } from './entry-card.tsx'

/** Second step of the sign-in, with a choice of factors. */
export function SecondStep({ factors }: { factors: readonly SecondFactor[] }) {
  const [way, setWay] = useState<SecondFactor>(factors.find((factor) => factor !== 'RECOVERY_CODE') ?? 'TOTP')
  const others = factors.filter((factor) => factor !== way)
  const startAgain = useMutation({
    mutationFn: async () => {
      await callConsole('signOut')
      setSession(await callConsole('readSession'))
    },
  })
  return (
    <EntryCard title="Two-step verification">
      {way === 'PASSKEY' ? <PasskeyStep /> : <CodeStep key={way} way={way} />}
      {others.length > 0 && (
        <>
          <p className="divider">or</p>
          <div className="stack tight">
            {others.map((factor) => (
              <PushButton key={factor} kind="wide" onClick={() => setWay(factor)}>
                {otherWays[factor]}
              </PushButton>
            ))}
          </div>
        </>
      )}
      <FormError error={startAgain.error} />
      <PushButton kind="quiet" busy={startAgain.isPending} onClick={() => startAgain.mutate()}>
        Sign in as a different user
      </PushButton>
    </EntryCard>
  )
}

const otherWays: Readonly<Record<SecondFactor, string>> = {
  TOTP: 'Use authenticator app',
  PASSKEY: 'Use a passkey',
  RECOVERY_CODE: 'Use a recovery code',
}

function PasskeyStep() {
  const verification = useMutation({
    mutationFn: () => authenticateWithPasskey('signInPasskeyOptions', 'signInByPasskey'),
    onSuccess: setSession,
  })
  return (
    <>
      <p className="soft">Use the passkey on this device, your phone or your security key.</p>
      <FormError error={verification.error} />
      <PushButton kind="primary wide" busy={verification.isPending} onClick={() => verification.mutate()}>
        <KeyRound />
        Use a passkey
      </PushButton>
    </>
  )
}

function CodeStep({ way }: { way: 'TOTP' | 'RECOVERY_CODE' }) {
  const [code, setCode] = useState('')
  const isTotp = way === 'TOTP'
  const verification = useMutation({
    mutationFn: (typed: string) =>
      callConsole(isTotp ? 'signInByTotp' : 'signInByRecoveryCode', { body: { code: typed } }),
    onSuccess: setSession,
    onError: () => setCode(''),
  })
  const type = (typed: string) => {
    const next = isTotp ? typed.replaceAll(/\D/g, '').slice(0, 6) : typed
    setCode(next)
    if (isTotp && next.length === 6 && !verification.isPending) verification.mutate(next)
  }
  return (
    <Form
      sending={{ ...verification, mutate: () => verification.mutate(code.trim()) }}
      kind="primary wide"
      action="Continue"
    >
      <TextField
        label={isTotp ? 'Authenticator code' : 'Recovery code'}
        hint={isTotp ? 'Six digits. Changes every 30 seconds.' : 'Each code works once.'}
        className={isTotp ? 'code' : ''}
        inputMode={isTotp ? 'numeric' : 'text'}
        autoComplete="one-time-code"
        required
        autoFocus
        value={code}
        onChange={(event) => type(event.target.value)}
      />
    </Form>
  )
}
