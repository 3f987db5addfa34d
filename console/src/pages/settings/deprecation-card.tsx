import type { ApiDeprecation } from '@muster/contract/console/console-notices'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { useReload } from '../../data/record.ts'
import { PushButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog/confirm.tsx'
import { Card, Facts } from '../../ui/page/card.tsx'
import { utcDayText } from '../../ui/text/moment-text.ts'
import { DeprecationDialog } from './deprecation-dialog.tsx'

/** Deprecation state of the API version and its notifications. */
export function DeprecationCard() {
  const reload = useReload()
  const { data, refetch } = useQuery({
    queryKey: ['deprecation'],
    queryFn: () => callConsole('readDeprecation'),
  })
  const [open, setOpen] = useState<'set' | 'withdraw'>()
  const close = () => setOpen(undefined)
  if (!data) return null
  const { deprecationTimestamp, changeable } = data
  return (
    <Card title="API versions">
      <DeprecationFacts deprecation={data} />
      {changeable ? (
        <span className="row wrap">
          <PushButton
            onClick={() => {
              // Count the holders again: keys may have been created since.
              void refetch()
              setOpen('set')
            }}
          >
            {deprecationTimestamp === null ? 'Deprecate this version' : 'Change dates'}
          </PushButton>
          {deprecationTimestamp !== null && (
            <PushButton kind="danger" onClick={() => setOpen('withdraw')}>
              Withdraw deprecation
            </PushButton>
          )}
        </span>
      ) : (
        <p className="soft small">
          These dates apply to the whole server. Only owners of its first organization can change them.
        </p>
      )}
      {open === 'set' && <DeprecationDialog deprecation={data} onClose={close} onSet={reload} />}
      {open === 'withdraw' && (
        <Confirm
          title="Withdraw the deprecation?"
          action="Withdraw deprecation"
          run={() => callConsole('withdrawDeprecation')}
          onDone={reload}
          onClose={close}
        >
          <p>Everyone who was notified gets a message that the dates no longer apply.</p>
        </Confirm>
      )}
    </Card>
  )
}

function DeprecationFacts({ deprecation }: { deprecation: ApiDeprecation }) {
  const { version, deprecationTimestamp, sunsetTimestamp, messages } = deprecation
  if (deprecationTimestamp === null)
    return (
      <p>
        <code>/{version}</code> is current. No deprecation date is set.
      </p>
    )
  const parts = [
    [messages.sent, 'sent'],
    [messages.waiting, 'waiting'],
    [messages.failed, 'failed'],
    [messages.inDoubt, 'in doubt'],
  ] as const
  const notified = parts.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`)
  return (
    <Facts
      facts={[
        ['Version', <code key="version">/{version}</code>],
        ['Deprecated from', utcDayText(deprecationTimestamp)],
        ['Stops working', sunsetTimestamp === null ? 'Not decided' : utcDayText(sunsetTimestamp)],
        [
          'Messages',
          <span key="messages">
            {notified.join(', ') || 'None'} · <Link to="/notices">View messages</Link>
          </span>,
        ],
      ]}
    />
  )
}
