import type { ApiDeprecation } from '@muster/contract/console/console-notices'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Form } from '../../ui/form/form.tsx'
import { MomentField } from '../../ui/form/moment-field.tsx'
import { counted } from '../../ui/text/counted.ts'
import { utcDayText } from '../../ui/text/moment-text.ts'

/** Sets the deprecation dates, and shows who is notified. */
export function DeprecationDialog({
  deprecation: { version, holders, ...set },
  onClose,
  onSet,
}: {
  deprecation: ApiDeprecation
  onClose: () => void
  onSet: () => Promise<unknown>
}) {
  const [from, setFrom] = useState(set.deprecationTimestamp)
  const [sunset, setSunset] = useState(set.sunsetTimestamp)
  const send = useMutation({
    mutationFn: () =>
      callConsole('setDeprecation', {
        body: { deprecationTimestamp: from ?? 0, sunsetTimestamp: sunset },
      }),
    onSuccess: () => {
      onClose()
      void onSet()
    },
  })
  const people = counted(holders, 'person holds', 'people hold')
  return (
    <Dialog title={`Deprecate /${version}`} onClose={onClose}>
      <Form sending={send} action="Set dates and notify holders" disabled={from === null} onCancel={onClose}>
        <MomentField
          kind="utcDay"
          label="Deprecated from"
          name="deprecationTimestamp"
          hint="Dates are in UTC."
          required
          seconds={from}
          onChange={setFrom}
        />
        <MomentField
          kind="utcDay"
          label="Stops working"
          name="sunsetTimestamp"
          hint="Leave empty if not decided."
          seconds={sunset}
          onChange={setSunset}
        />
        <section className="notice stack tight" aria-label="Who is notified">
          <p>{people} an active key. Each gets one message; new holders get it when their key is created:</p>
          <p className="soft small">
            Version {version} of the API
            {from === null ? ' …' : ` is deprecated from ${utcDayText(from)}`}
            {sunset !== null && ` and stops working on ${utcDayText(sunset)}`}; with the names of their keys
            and what to do.
          </p>
          <p className="soft small">
            All API responses include the headers Deprecation and Sunset immediately.
          </p>
        </section>
      </Form>
    </Dialog>
  )
}
