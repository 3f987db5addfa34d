import type { AlertDelivery } from '@muster/contract/console/alerts/console-alerts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { callConsole } from '../../data/call.ts'
import { messageOf } from '../../data/console-send.ts'
import { useReload } from '../../data/record.ts'
import { Badge, ValueBadge } from '../../ui/badge.tsx'
import { PushButton } from '../../ui/button.tsx'
import { showToast } from '../../ui/dialog/toasts.tsx'
import { Card } from '../../ui/page/card.tsx'
import { counted } from '../../ui/text/counted.ts'
import { Moment } from '../../ui/text/moment.tsx'

/** The latest messages of a rule. */
export function AlertLog({ id, mayWrite }: { id: string; mayWrite: boolean }) {
  const reload = useReload()
  const { data } = useQuery({
    queryKey: ['alert-deliveries', id],
    queryFn: () => callConsole('listAlertDeliveries', { id }),
  })
  return (
    <Card title="Delivery log" actions={<PushButton onClick={() => void reload()}>Refresh</PushButton>}>
      <ul className="lines">
        {data?.deliveries.map((delivery) => (
          <DeliveryLine
            key={`${delivery.messageId} ${delivery.receiver}`}
            id={id}
            delivery={delivery}
            mayWrite={mayWrite}
          />
        ))}
      </ul>
      {data?.deliveries.length === 0 && <p className="soft">No messages yet</p>}
    </Card>
  )
}

function DeliveryLine({
  id,
  delivery,
  mayWrite,
}: {
  id: string
  delivery: AlertDelivery
  mayWrite: boolean
}) {
  const { messageId, title, receiver, state, test, attempts, error, nextTimestamp, timestamp } = delivery
  const reload = useReload()
  const again = useMutation({
    mutationFn: () =>
      callConsole('resendAlert', { id, body: { messageId, ...(receiver !== null && { receiver }) } }),
    onSuccess: async () => {
      showToast('The message will be resent.')
      await reload()
    },
    onError: (failure) => showToast(messageOf(failure), true),
  })
  return (
    <li>
      <span className="rule-text">
        {title} {test && <Badge>Test</Badge>}
        {receiver !== null && (
          <>
            <br />
            <span className="soft small">{receiver}</span>
          </>
        )}
        {error !== null && (
          <>
            <br />
            <span className="field-error">{error}</span>
          </>
        )}
      </span>
      <span className="soft small">
        {attempts > 1 && `${counted(attempts, 'attempt')}, `}
        {nextTimestamp === null ? (
          <Moment seconds={timestamp} />
        ) : (
          <>
            next <Moment seconds={nextTimestamp} />
          </>
        )}
      </span>
      <ValueBadge value={state} />
      {mayWrite && !test && (state === 'FAILED' || state === 'IN_DOUBT') && (
        <PushButton aria-label={`Resend ${title}`} busy={again.isPending} onClick={() => again.mutate()}>
          Resend
        </PushButton>
      )}
    </li>
  )
}
