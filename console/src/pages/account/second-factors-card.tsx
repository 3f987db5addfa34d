import type { SignInMethods } from '@muster/contract/console/console-sign-in-methods'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { Badge } from '../../ui/badge.tsx'
import { PushButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog/confirm.tsx'
import { showToast } from '../../ui/dialog/toasts.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { PasskeyDialog } from './passkey-dialog.tsx'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'
import { TotpDialog } from './totp-dialog.tsx'
import { useReloadSignIn } from './use-reload-sign-in.ts'

/** Action that a dialog asks to confirm. */
interface Question {
  readonly title: string
  readonly action: string
  readonly text: string
  readonly run: () => Promise<unknown>
}

const removed = {
  action: 'Remove',
  text: 'You can no longer sign in with it. If it is your last second factor, your recovery codes are deleted too.',
} as const

/** Second factors of the administrator: authenticator app, passkeys, recovery codes. */
export function SecondFactorsCard({ methods }: { methods: SignInMethods }) {
  const changed = useReloadSignIn()
  const [adding, setAdding] = useState<'totp' | 'passkey'>()
  const [question, setQuestion] = useState<Question>()
  const [codes, setCodes] = useState<readonly string[]>()
  const added = async (recoveryCodes: readonly string[] | null) => {
    setAdding(undefined)
    if (recoveryCodes) setCodes(recoveryCodes)
    else showToast('Sign-in method added.')
    await changed()
  }
  const any = methods.totp || methods.passkeys.length > 0
  return (
    <Card title="Two-step verification">
      {!any && (
        <p className="notice warn">
          Two-step verification is off. Anyone who learns your password can sign in. Add an authenticator app
          or a passkey.
        </p>
      )}
      <ul className="lines">
        <li>
          <span className="grow">Authenticator app</span>
          {methods.totp ? (
            <>
              <Badge tone="good">On</Badge>
              <PushButton
                onClick={() =>
                  setQuestion({
                    ...removed,
                    title: 'Remove authenticator app?',
                    run: () => callConsole('removeTotp'),
                  })
                }
              >
                Remove
              </PushButton>
            </>
          ) : (
            <PushButton onClick={() => setAdding('totp')}>Set up</PushButton>
          )}
        </li>
        {methods.passkeys.map(({ id, name, lastUsedTimestamp }) => (
          <li key={id}>
            <span className="grow">
              Passkey “{name}”{' '}
              <span className="soft small">
                last used <Moment seconds={lastUsedTimestamp} never="never" />
              </span>
            </span>
            <PushButton
              aria-label={`Remove passkey ${name}`}
              onClick={() =>
                setQuestion({
                  ...removed,
                  title: `Remove passkey “${name}”?`,
                  run: () => callConsole('removePasskey', { id }),
                })
              }
            >
              Remove
            </PushButton>
          </li>
        ))}
        <li>
          <span className="grow">{methods.passkeys.length > 0 ? 'Another passkey' : 'Passkey'}</span>
          <PushButton onClick={() => setAdding('passkey')}>Add passkey</PushButton>
        </li>
        {any && (
          <li>
            <span className="grow">
              Recovery codes <span className="soft small">{methods.recoveryCodesLeft} left</span>
            </span>
            <PushButton
              onClick={() =>
                setQuestion({
                  title: 'Create new recovery codes?',
                  action: 'Create codes',
                  text: 'Your current codes stop working immediately.',
                  run: async () => added((await callConsole('renewRecoveryCodes')).recoveryCodes),
                })
              }
            >
              Create new codes
            </PushButton>
          </li>
        )}
      </ul>
      {adding === 'totp' && <TotpDialog onClose={() => setAdding(undefined)} onAdded={added} />}
      {adding === 'passkey' && <PasskeyDialog onClose={() => setAdding(undefined)} onAdded={added} />}
      {codes && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(undefined)} />}
      {question && (
        <Confirm
          title={question.title}
          action={question.action}
          run={question.run}
          onDone={changed}
          onClose={() => setQuestion(undefined)}
        >
          <p>{question.text}</p>
        </Confirm>
      )}
    </Card>
  )
}
