import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { showToast } from '../../ui/dialog/toasts.tsx'
import { CheckField, Form } from '../../ui/form/form.tsx'
import { MomentField } from '../../ui/form/moment-field.tsx'
import { counted } from '../../ui/text/counted.ts'
import { nowSeconds } from '../../ui/text/moment-text.ts'

const hourSeconds = 3600

/** Resends the events of a time range, for example after an outage of the receiver. */
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
      showToast(`${counted(events, 'event')} will be resent.`)
      onClose()
      void onSent()
    },
  })
  return (
    <Dialog title="Resend events" onClose={onClose} narrow>
      <Form sending={send} action="Resend events" disabled={since === null} onCancel={onClose}>
        <MomentField kind="time" label="From" name="since" required seconds={since} onChange={setSince} />
        <MomentField
          kind="time"
          label="To"
          name="until"
          hint="Leave empty for now."
          seconds={until}
          onChange={setUntil}
        />
        <CheckField checked={onlyFailed} onChange={setOnlyFailed}>
          Only events that were not acknowledged
        </CheckField>
        <p className="soft small">
          Each event keeps its ID, so receivers can detect duplicates. Events are kept for 30 days.
        </p>
      </Form>
    </Dialog>
  )
}
