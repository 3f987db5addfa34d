import type { Administrator } from '@muster/contract/console/console-fields'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { useHasRole, useSession } from '../../data/session.ts'
import { Badge, ValueBadge } from '../../ui/badge.tsx'
import { PushButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog/confirm.tsx'
import { useNewDialog } from '../../ui/dialog/use-new-dialog.ts'
import { bound } from '../../ui/form/form.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { counted } from '../../ui/text/counted.ts'
import { labelOf } from '../../ui/text/labels.ts'
import { Moment } from '../../ui/text/moment.tsx'
import { AdministratorMenu } from './administrator-menu.tsx'
import { InviteDialog } from './invite-dialog.tsx'

const stepChoices = [
  ['', 'With or without two-step verification'],
  ['with', 'With two-step verification'],
  ['without', 'Without two-step verification'],
] as const

/** True if a password alone is not enough to sign in. Without a password, the identity provider is responsible. */
const hasSecondStep = ({ secondFactors, signsInByPassword, signsInByOidc }: Administrator): boolean =>
  secondFactors.length > 0 || (signsInByOidc && !signsInByPassword)

/** Page of administrators and pending invitations. */
export function AdministratorsPage() {
  const client = useQueryClient()
  const { data: session } = useSession()
  const isOwner = useHasRole('OWNER')
  const [inviting, setInviting] = useNewDialog('Invite administrator', isOwner)
  const [revoked, setRevoked] = useState<{ id: string; email: string }>()
  const { data } = useQuery({
    queryKey: ['administrators'],
    queryFn: () => callConsole('listAdministrators'),
  })
  const [steps, setSteps] = useState<(typeof stepChoices)[number][0]>('')
  const people = (data?.administrators ?? []).filter(
    (person) => steps === '' || hasSecondStep(person) === (steps === 'with'),
  )
  const reload = () => client.invalidateQueries({ queryKey: ['administrators'] })
  return (
    <Page>
      <PageHead title="Administrators">
        {isOwner && (
          <PushButton kind="primary" onClick={() => setInviting(true)}>
            <UserPlus />
            Invite administrator
          </PushButton>
        )}
      </PageHead>
      {data && (
        <Card
          title={counted(people.length, 'person', 'people')}
          actions={
            <select className="input fit" aria-label="Two-step verification" {...bound(steps, setSteps)}>
              {stepChoices.map(([value, text]) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
            </select>
          }
        >
          <ul className="lines">
            {people.map((person) => (
              <li key={person.id}>
                <span className="grow">
                  {person.name} <span className="soft">{person.email}</span>
                </span>
                {person.id === session?.administrator?.id && <Badge tone="accent">You</Badge>}
                {!hasSecondStep(person) && <Badge tone="medium">No two-step verification</Badge>}
                <ValueBadge value={person.role} />
                <span className="soft small">
                  last sign-in <Moment seconds={person.lastSignInTimestamp} never="never" />
                </span>
                {isOwner && <AdministratorMenu person={person} onChanged={reload} />}
              </li>
            ))}
          </ul>
        </Card>
      )}
      {data && data.invitations.length > 0 && (
        <Card title="Pending invitations">
          <ul className="lines">
            {data.invitations.map(({ id, email, role, expirationTimestamp }) => (
              <li key={id}>
                <span className="grow">{email}</span>
                <Badge>{labelOf(role)}</Badge>
                <span className="soft small">
                  expires <Moment seconds={expirationTimestamp} />
                </span>
                {isOwner && (
                  <PushButton
                    aria-label={`Revoke invitation for ${email}`}
                    onClick={() => setRevoked({ id, email })}
                  >
                    Revoke
                  </PushButton>
                )}
              </li>
            ))}
          </ul>
        </Card>
      )}
      {inviting && <InviteDialog onClose={() => setInviting(false)} onInvited={reload} />}
      {revoked && (
        <Confirm
          title="Revoke this invitation?"
          action="Revoke invitation"
          run={() => callConsole('revokeInvitation', { id: revoked.id })}
          onDone={reload}
          onClose={() => setRevoked(undefined)}
        >
          <p>The link that was sent to {revoked.email} stops working.</p>
        </Confirm>
      )}
    </Page>
  )
}
