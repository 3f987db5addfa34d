import { useState } from 'react'
import { type ListSearch, valuesOf } from '../../data/list-search.ts'
import { PushButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { atOnce, Form } from '../../ui/form/form.tsx'
import { MomentField } from '../../ui/form/moment-field.tsx'
import { momentText } from '../../ui/text/moment-text.ts'
import { useTimeZone } from '../../ui/text/time-zone.ts'

const secondsIn = (search: ListSearch, name: string): number | null => {
  const text = valuesOf(search, name)[0]
  return text === undefined ? null : Number(text)
}

/** Time range filter, stored in the URL. */
export function TimeRange({
  search,
  onChange,
}: {
  search: ListSearch
  onChange: (change: ListSearch) => void
}) {
  useTimeZone()
  const [open, setOpen] = useState(false)
  const from = secondsIn(search, 'timestampAfter')
  const until = secondsIn(search, 'timestampBefore')
  const parts = [
    from === null ? '' : `from ${momentText(from)}`,
    until === null ? '' : `to ${momentText(until)}`,
  ]
  return (
    <>
      <PushButton onClick={() => setOpen(true)}>{parts.filter(Boolean).join(' ') || 'Any time'}</PushButton>
      {open && <RangeDialog from={from} until={until} onChange={onChange} onClose={() => setOpen(false)} />}
    </>
  )
}

function RangeDialog({
  from,
  until,
  onChange,
  onClose,
}: {
  from: number | null
  until: number | null
  onChange: (change: ListSearch) => void
  onClose: () => void
}) {
  const [after, setAfter] = useState(from)
  const [before, setBefore] = useState(until)
  const textOf = (seconds: number | null) => (seconds === null ? undefined : String(seconds))
  return (
    <Dialog title="Time range" onClose={onClose} narrow>
      <Form
        sending={atOnce(() => {
          onChange({ timestampAfter: textOf(after), timestampBefore: textOf(before) })
          onClose()
        })}
        action="Apply"
        onCancel={onClose}
      >
        <MomentField kind="time" label="From" seconds={after} onChange={setAfter} />
        <MomentField kind="time" label="To" seconds={before} onChange={setBefore} />
      </Form>
    </Dialog>
  )
}
