import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { tell } from '../../ui/dialog/toasts.tsx'
import { CheckField, Form } from '../../ui/form/form.tsx'
import { MomentField } from '../../ui/form/moment-field.tsx'
import { counted } from '../../ui/text/counted.ts'
import { nowSeconds } from '../../ui/text/moment-text.ts'

const hourSeconds = 3600

/** Sends the events of a time again: after an outage of the receiver, for example. */
export function SendAgainDialog({
  id,
  onClose,
  onSent,
}: {
  id: string
  onClose: () => void
  onSent: () => Promise<unknown>
}) {
  const [since, setSince] = useState<number | null>(() => nowSeconds() - hourSeconds)
  const [until, setUntil] = useState<number | null>(null)
  const [onlyFailed, setOnlyFailed] = useState(true)
  const send = useMutation({
    mutationFn: () =>
      callConsole('sendAgain', {
        id,
        body: { ...(since !== null && { since }), ...(until !== null && { until }), onlyFailed },
      }),
    onSuccess: ({ events }) => {
      tell(`${counted(events, 'event is', 'events are')} sent again.`)
      onClose()
      void onSent()
    },
  })
  return (
    <Dialog title="Send the events of a time again" onClose={onClose} narrow>
      <Form sending={send} action="Send again" disabled={since === null} onCancel={onClose}>
        <MomentField kind="time" label="From" name="since" required seconds={since} onChange={setSince} />
        <MomentField
          kind="time"
          label="Until"
          name="until"
          hint="Empty: until now."
          seconds={until}
          onChange={setUntil}
        />
        <CheckField checked={onlyFailed} onChange={setOnlyFailed}>
          Only those that were not acknowledged
        </CheckField>
        <p className="soft small">
          Each keeps its id, so that a receiver can tell what it has already. Events are kept for 30 days.
        </p>
      </Form>
    </Dialog>
  )
}
