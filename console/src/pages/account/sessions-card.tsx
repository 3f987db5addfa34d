import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { signOut } from '../../data/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { PushButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog/confirm.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { browserText } from '../../ui/text/user-agent.ts'

/** Sessions of the administrator, with a button that ends all of them. */
export function SessionsCard() {
  const { data } = useQuery({ queryKey: ['sessions'], queryFn: () => callConsole('listSessions') })
  const [asking, setAsking] = useState(false)
  return (
    <Card
      title="Sessions"
      actions={
        <PushButton kind="danger" onClick={() => setAsking(true)}>
          Sign out everywhere
        </PushButton>
      }
    >
      <ul className="lines">
        {data?.sessions.map((session) => (
          <li key={session.id}>
            <span className="grow">
              {browserText(session.userAgent)} <span className="soft">from {session.sourceIpAddress}</span>
            </span>
            {session.current && <Badge tone="accent">This session</Badge>}
            <span className="soft small">
              signed in <Moment seconds={session.creationTimestamp} /> · last seen{' '}
              <Moment seconds={session.lastSeenTimestamp} />
            </span>
          </li>
        ))}
      </ul>
      {asking && (
        <Confirm
          title="Sign out everywhere?"
          action="Sign out everywhere"
          run={() => signOut('signOutEverywhere')}
          onClose={() => setAsking(false)}
        >
          <p>This ends all your sessions in this and every other browser. You will need to sign in again.</p>
        </Confirm>
      )}
    </Card>
  )
}
