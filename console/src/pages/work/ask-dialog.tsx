import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { useReload } from '../../data/record.ts'
import { PushButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { showToast } from '../../ui/dialog/toasts.tsx'
import { useDialogAction } from '../../ui/dialog/use-dialog-action.ts'
import { FormError } from '../../ui/form/field.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Facts } from '../../ui/page/card.tsx'
import { FullMoment } from '../../ui/text/moment.tsx'
import { TemplateDialog } from './template-dialog.tsx'

/** Shows the e-mail that asks an employee to resolve all findings that are to do, and sends it. */
export function AskDialog({ employeeId, onClose }: { employeeId: string; onClose: () => void }) {
  const reload = useReload()
  const { data, error } = useQuery({
    queryKey: ['request', employeeId],
    queryFn: () => callConsole('previewRequest', { id: employeeId }),
    gcTime: 0,
  })
  const sending = useDialogAction(
    () => callConsole('askEmployee', { id: employeeId }),
    onClose,
    async ({ address }) => {
      showToast(`E-mail to ${address} queued.`)
      await reload()
    },
  )
  const [editing, setEditing] = useState(false)
  const isLate = data !== undefined && data.nextTimestamp === null
  if (editing) return <TemplateDialog employeeId={employeeId} onClose={() => setEditing(false)} />
  return (
    <Dialog title="Ask by e-mail" onClose={onClose}>
      <FormError error={error} />
      <Form
        sending={{ ...sending, mutate: () => sending.mutate() }}
        action="Send e-mail"
        disabled={!isLate || data.findings === 0}
        onCancel={onClose}
      >
        {data && (
          <>
            {data.findings === 0 && <p className="notice">This employee has no finding that is to do.</p>}
            {data.nextTimestamp !== null && (
              <p className="notice">
                Already asked in the last 7 days. Possible again from{' '}
                <FullMoment seconds={data.nextTimestamp} />.
              </p>
            )}
            <Facts
              facts={[
                ['To', data.address],
                ['Subject', data.subject],
              ]}
            />
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by keys */}
            <section className="mail-text" tabIndex={0} aria-label="Text of the e-mail">
              {data.text}
            </section>
            <span className="row">
              <PushButton onClick={() => setEditing(true)}>Edit text…</PushButton>
            </span>
          </>
        )}
      </Form>
    </Dialog>
  )
}
