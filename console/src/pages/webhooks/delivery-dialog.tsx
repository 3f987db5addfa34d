import { useMutation, useQuery } from '@tanstack/react-query'
import { callConsole } from '../../data/call.ts'
import { objectName } from '../../data/event-kinds.ts'
import { errorShownInPlace } from '../../data/missing-data.ts'
import { useReload } from '../../data/record.ts'
import { ValueBadge } from '../../ui/badge.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { showToast } from '../../ui/dialog/toasts.tsx'
import { FormError } from '../../ui/form/field.tsx'
import { Form } from '../../ui/form/form.tsx'
import { indentedJson } from '../../ui/text/indented-json.ts'
import { FullMoment } from '../../ui/text/moment.tsx'
import { AttemptFacts } from './attempt-facts.tsx'

/** Delivery of an event to an endpoint: request and responses. */
export function DeliveryDialog({
  id,
  eventId,
  mayWrite,
  onClose,
}: {
  id: string
  eventId: string
  mayWrite: boolean
  onClose: () => void
}) {
  const reload = useReload()
  const { data, error } = useQuery({
    queryKey: ['delivery', id, eventId],
    queryFn: () => callConsole('readDelivery', { id, body: { eventId } }),
    meta: errorShownInPlace,
  })
  const again = useMutation({
    mutationFn: () => callConsole('sendAgain', { id, body: { eventIds: [eventId] } }),
    onSuccess: () => {
      showToast('The event will be resent.')
      onClose()
      void reload()
    },
  })
  return (
    <Dialog title={data ? objectName(data.object) : 'Event'} onClose={onClose}>
      <FormError error={error} />
      {data && (
        <>
          <p className="row wrap">
            <ValueBadge value={data.state} />
            <span className="soft small">
              <FullMoment seconds={data.timestamp} /> · <code>{eventId}</code>
            </span>
          </p>
          <h3>Responses</h3>
          {data.history.length === 0 && <p className="soft">Not sent yet</p>}
          {data.history.map((attempt) => (
            <AttemptFacts key={attempt.attempt} attempt={attempt} />
          ))}
          <h3>Request</h3>
          <pre className="sample">
            {[
              `POST ${data.request.url}`,
              ...data.request.headers.map(({ name, value }) => `${name}: ${value ?? '…'}`),
            ].join('\n')}
          </pre>
          <pre className="sample">{indentedJson(data.request.body)}</pre>
        </>
      )}
      <Form
        sending={again}
        {...(mayWrite && data ? { action: 'Resend event' } : {})}
        onCancel={onClose}
        cancel="Close"
      />
    </Dialog>
  )
}
