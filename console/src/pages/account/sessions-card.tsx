import { useMutation, useQuery } from '@tanstack/react-query'
import { callConsole } from '../../data/call.ts'
import { signOut } from '../../data/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { PushButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FormError } from '../../ui/field.tsx'
import { Moment } from '../../ui/moment.tsx'
import { browserText } from '../../ui/user-agent.ts'

/** Where one is signed in, and a way to end all of it. */
export function SessionsCard() {
  const { data } = useQuery({ queryKey: ['sessions'], queryFn: () => callConsole('listSessions') })
  const everywhere = useMutation({
    mutationFn: () => signOut('signOutEverywhere'),
  })
  return (
    <Card
      title="Sessions"
      actions={
        <PushButton kind="danger" busy={everywhere.isPending} onClick={() => everywhere.mutate()}>
          Sign out everywhere
        </PushButton>
      }
    >
      <FormError error={everywhere.error} />
      <ul className="lines">
        {data?.sessions.map((session) => (
          <li key={session.id}>
            <span className="grow">
              {browserText(session.userAgent)} <span className="soft">from {session.sourceIpAddress}</span>
            </span>
            {session.current && <Badge tone="accent">This one</Badge>}
            <span className="soft small">
              since <Moment seconds={session.creationTimestamp} />, seen{' '}
              <Moment seconds={session.lastSeenTimestamp} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
