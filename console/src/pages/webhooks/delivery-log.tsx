import type { DeliveryState, WebhookDelivery } from '@muster/contract/console/console-webhooks'
import type { EventObject } from '@muster/contract/events/event-objects'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { messageOf } from '../../data/console-send.ts'
import { objectChoices, objectName } from '../../data/event-kinds.ts'
import { errorShownInPlace } from '../../data/missing-data.ts'
import { useReload } from '../../data/record.ts'
import { Badge, ValueBadge } from '../../ui/badge.tsx'
import { PushButton } from '../../ui/button.tsx'
import { showToast } from '../../ui/dialog/toasts.tsx'
import { bound } from '../../ui/form/form.tsx'
import { Card } from '../../ui/page/card.tsx'
import { counted } from '../../ui/text/counted.ts'
import { labelOf } from '../../ui/text/labels.ts'
import { Moment } from '../../ui/text/moment.tsx'
import { DeliveryDialog } from './delivery-dialog.tsx'
import { SendAgainDialog } from './send-again-dialog.tsx'

const states = ['', 'PENDING', 'DELIVERED', 'FAILED'] as const satisfies readonly (DeliveryState | '')[]

/** Deliveries of an endpoint, with options to resend. */
export function DeliveryLog({ id, mayWrite }: { id: string; mayWrite: boolean }) {
  const reload = useReload()
  const [state, setState] = useState<DeliveryState | ''>('')
  const [object, setObject] = useState<EventObject | ''>('')
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [shown, setShown] = useState<string>()
  const [ranging, setRanging] = useState(false)
  const wanted = { ...(state && { state }), ...(object && { object }) }
  const log = useInfiniteQuery({
    queryKey: ['deliveries', id, wanted],
    queryFn: ({ pageParam }) =>
      callConsole('listDeliveries', { id, body: { ...wanted, ...(pageParam && { cursor: pageParam }) } }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
    meta: errorShownInPlace,
  })
  const again = useMutation({
    mutationFn: () => callConsole('sendAgain', { id, body: { eventIds: [...selected] } }),
    onSuccess: async ({ events }) => {
      showToast(`${counted(events, 'event')} will be resent.`)
      setSelected(new Set())
      await reload()
    },
    onError: (error) => showToast(messageOf(error), true),
  })
  const toggle = (eventId: string) => {
    const next = new Set(selected)
    if (!next.delete(eventId)) next.add(eventId)
    setSelected(next)
  }
  const deliveries = log.data?.pages.flatMap((page) => page.deliveries) ?? []
  return (
    <Card
      title="Delivery log"
      actions={
        <span className="row wrap">
          <select className="input fit" aria-label="State" {...bound(state, setState)}>
            {states.map((one) => (
              <option key={one} value={one}>
                {one === '' ? 'All states' : labelOf(one)}
              </option>
            ))}
          </select>
          <select className="input fit" aria-label="Event type" {...bound(object, setObject)}>
            <option value="">All event types</option>
            {objectChoices().map(([one, text]) => (
              <option key={one} value={one}>
                {text}
              </option>
            ))}
          </select>
          <PushButton onClick={() => void reload()}>Refresh</PushButton>
          {mayWrite && <PushButton onClick={() => setRanging(true)}>Resend time range</PushButton>}
        </span>
      }
    >
      {selected.size > 0 && (
        <p className="notice row wrap">
          <strong className="grow">{selected.size} selected</strong>
          <PushButton kind="primary" busy={again.isPending} onClick={() => again.mutate()}>
            Resend
          </PushButton>
          <PushButton kind="quiet" onClick={() => setSelected(new Set())}>
            Clear selection
          </PushButton>
        </p>
      )}
      <ul className="lines">
        {deliveries.map((delivery) => (
          <DeliveryLine
            key={delivery.eventId}
            delivery={delivery}
            selected={selected.has(delivery.eventId)}
            {...(mayWrite ? { onSelect: () => toggle(delivery.eventId) } : {})}
            onOpen={() => setShown(delivery.eventId)}
          />
        ))}
      </ul>
      {log.data && deliveries.length === 0 && !log.hasNextPage && <p className="soft">No events</p>}
      {log.error && <p className="notice bad">{messageOf(log.error)}</p>}
      {log.hasNextPage && (
        <PushButton busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
          Load more
        </PushButton>
      )}
      {shown !== undefined && (
        <DeliveryDialog id={id} eventId={shown} mayWrite={mayWrite} onClose={() => setShown(undefined)} />
      )}
      {ranging && <SendAgainDialog id={id} onClose={() => setRanging(false)} onSent={reload} />}
    </Card>
  )
}

function DeliveryLine({
  delivery,
  selected,
  onSelect,
  onOpen,
}: {
  delivery: WebhookDelivery
  selected: boolean
  onSelect?: () => void
  onOpen: () => void
}) {
  const { eventId, object, attempts, lastStatus, lastError, dueTimestamp } = delivery
  const what = objectName(object)
  return (
    <li>
      {onSelect && (
        <input
          type="checkbox"
          className="grid-check"
          aria-label={`Select ${what} ${eventId}`}
          checked={selected}
          onChange={onSelect}
        />
      )}
      <span className="rule-text">
        <PushButton kind="link" onClick={onOpen}>
          {what}
        </PushButton>{' '}
        {delivery.test && <Badge>Test</Badge>}
        <br />
        <span className="soft small">
          <Moment seconds={delivery.timestamp} />
          {lastError !== null && ` · ${lastError}`}
        </span>
      </span>
      <span className="soft small">
        {counted(attempts, 'attempt')}
        {lastStatus !== null && `, ${lastStatus}`}
        {dueTimestamp !== null && (
          <>
            , next <Moment seconds={dueTimestamp} />
          </>
        )}
      </span>
      <ValueBadge value={delivery.state} />
    </li>
  )
}
