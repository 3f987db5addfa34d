import type { BrowserConnection } from '@muster/contract/console/rollout/console-rollout'
import type { Browser } from '@muster/contract/records/browser'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { useReload } from '../../data/record.ts'
import { useHasRole } from '../../data/session.ts'
import { PushButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog/confirm.tsx'
import { showToast } from '../../ui/dialog/toasts.tsx'
import { Card, Facts } from '../../ui/page/card.tsx'
import { FullMoment, Moment } from '../../ui/text/moment.tsx'

const reasons = {
  NO_LICENSE: 'The employee has no license, so the browser reports nothing and is not protected.',
  MERGED: 'It enrolled for an employee who was merged, so it reports nothing. Revoke it to enroll it again.',
} as const

/** Returns what the state of a connection means. */
function stateText({ credential, dormantBecause, silent, removedAfterDays }: BrowserConnection): string {
  if (credential === 'REVOKED') return 'Revoked. The agent cannot report until the browser enrolls again.'
  if (credential === 'NONE') return 'This record was imported. No browser is connected to it.'
  if (dormantBecause) return `Dormant. ${reasons[dormantBecause]}`
  return silent
    ? `Silent for 30 days. It is removed after ${removedAfterDays} days without contact.`
    : 'Connected.'
}

/** State of the connection of a browser, with actions to end it. */
export function ConnectionCard({ browser: { id, tokenType } }: { browser: Browser }) {
  const mayWrite = useHasRole('FULL_ACCESS')
  const reload = useReload()
  const navigate = useNavigate()
  const [asking, setAsking] = useState<'revoke' | 'remove'>()
  const close = () => setAsking(undefined)
  const { data } = useQuery({
    queryKey: ['browser-connection', id],
    queryFn: () => callConsole('readBrowserConnection', { id }),
  })
  if (!data) return null
  const again =
    tokenType === 'MANAGED'
      ? 'By its policy, it enrolls again as a new browser.'
      : 'To connect it again, create a new enrollment link.'
  return (
    <Card title="Connection">
      <p>{stateText(data)}</p>
      {(data.revokedTimestamp ?? data.lastDormantCallTimestamp) !== null && (
        <Facts
          facts={[
            ['Revoked', data.revokedTimestamp !== null && <FullMoment seconds={data.revokedTimestamp} />],
            [
              'Last dormant call',
              data.lastDormantCallTimestamp !== null && <Moment seconds={data.lastDormantCallTimestamp} />,
            ],
          ]}
        />
      )}
      {mayWrite && (
        <div className="row wrap">
          {data.credential === 'ACTIVE' && (
            <PushButton onClick={() => setAsking('revoke')}>Revoke</PushButton>
          )}
          <PushButton kind="danger" onClick={() => setAsking('remove')}>
            Delete record
          </PushButton>
        </div>
      )}
      {asking === 'revoke' && (
        <Confirm
          title="Revoke this browser?"
          action="Revoke browser"
          run={() => callConsole('revokeBrowser', { id })}
          onDone={() => {
            showToast('Browser revoked.')
            return reload()
          }}
          onClose={close}
        >
          <p>The agent stops reporting and protecting. {again}</p>
        </Confirm>
      )}
      {asking === 'remove' && (
        <Confirm
          title="Delete the record of this browser?"
          action="Delete record"
          run={() => callConsole('removeBrowser', { id })}
          onDone={async () => {
            showToast('Browser deleted.')
            await navigate({ to: '/browsers' })
            await reload()
          }}
          onClose={close}
        >
          <p>
            The browser is revoked, and its record and extensions are deleted. Its detections stay. {again}
          </p>
        </Confirm>
      )}
    </Card>
  )
}
