import type { LoginMethods } from '@muster/contract/records/account'
import { useState } from 'react'
import { PushButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog/confirm.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { type SeenLogin, seenLogins } from './login-words.ts'

type Removable = NonNullable<SeenLogin['removable']>

/** Observed sign-in methods of an account, with remove buttons. */
export function LoginMethodsCard({
  methods,
  remove,
  onRemoved,
}: {
  methods: LoginMethods
  /** Omitted if nothing can be removed. */
  remove?: (method: Removable) => Promise<unknown>
  onRemoved?: () => unknown
}) {
  const [removed, setRemoved] = useState<{ text: string; method: Removable }>()
  const logins = seenLogins(methods)
  return (
    <Card title="Sign-in methods">
      {logins.length === 0 && <p className="soft">No sign-in methods</p>}
      <ul className="lines">
        {logins.map(({ text, lastTimestamp, removable }) => (
          <li key={text}>
            <span className="grow">{text}</span>
            <span className="soft small">
              <Moment seconds={lastTimestamp} never="never" />
            </span>
            {remove && removable && (
              <PushButton
                aria-label={`Remove ${text}`}
                onClick={() => setRemoved({ text, method: removable })}
              >
                Remove
              </PushButton>
            )}
          </li>
        ))}
      </ul>
      {removed && remove && (
        <Confirm
          title={`Remove “${removed.text}”?`}
          action="Remove"
          run={() => remove(removed.method)}
          onDone={onRemoved}
          onClose={() => setRemoved(undefined)}
        >
          <p>Remove a method after you have disabled it in the app. It reappears if it is used again.</p>
          {removed.method === 'USERNAME_PASSWORD' && (
            <p>Password findings for this account will be resolved.</p>
          )}
        </Confirm>
      )}
    </Card>
  )
}
