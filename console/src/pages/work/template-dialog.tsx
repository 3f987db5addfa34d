import type { EmployeeRequest } from '@muster/contract/console/work/console-ask'
import {
  type RequestTemplate,
  templatePlaceholders,
  templateSubjectMaximum,
  templateTextMaximum,
} from '@muster/contract/console/work/request-template'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { PushButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { showToast } from '../../ui/dialog/toasts.tsx'
import { useDialogAction } from '../../ui/dialog/use-dialog-action.ts'
import { FormError, TextArea, TextField } from '../../ui/form/field.tsx'
import { bound, Form } from '../../ui/form/form.tsx'
import { Facts } from '../../ui/page/card.tsx'

const templateKey = ['request-template']

/** Edits the text of the e-mail that asks employees, with a preview for one of them. */
export function TemplateDialog({ employeeId, onClose }: { employeeId: string; onClose: () => void }) {
  const { data, error } = useQuery({
    queryKey: templateKey,
    queryFn: () => callConsole('readRequestTemplate'),
    gcTime: 0,
  })
  return (
    <Dialog title="Text of the e-mail" onClose={onClose} wide>
      <FormError error={error} />
      {data && <TemplateForm saved={data} employeeId={employeeId} onClose={onClose} />}
    </Dialog>
  )
}

function TemplateForm({
  saved,
  employeeId,
  onClose,
}: {
  saved: RequestTemplate & { readonly isDefault: boolean }
  employeeId: string
  onClose: () => void
}) {
  const client = useQueryClient()
  const [subject, setSubject] = useState(saved.subject)
  const [text, setText] = useState(saved.text)
  const body = { subject: subject.trim(), text }
  const done = (words: string) => async () => {
    showToast(words)
    await client.invalidateQueries({ queryKey: templateKey })
    await client.invalidateQueries({ queryKey: ['request'] })
  }
  const saving = useDialogAction(
    () => callConsole('changeRequestTemplate', { body }),
    onClose,
    done('Text saved.'),
  )
  const resetting = useDialogAction(
    () => callConsole('resetRequestTemplate'),
    onClose,
    done('Text reset to the default.'),
  )
  const preview = useMutation({
    mutationFn: () => callConsole('previewRequestTemplate', { id: employeeId, body }),
  })
  const isSame = body.subject === saved.subject && text === saved.text
  return (
    <Form
      sending={{ ...saving, mutate: () => saving.mutate() }}
      action="Save"
      disabled={isSame || body.subject === '' || text.trim() === ''}
      onCancel={onClose}
    >
      <p className="soft">For all requests of your organization, from the next one on.</p>
      <TextField
        label="Subject"
        name="subject"
        required
        maxLength={templateSubjectMaximum}
        {...bound(subject, setSubject)}
      />
      <TextArea
        label="Text"
        name="text"
        rows={11}
        required
        maxLength={templateTextMaximum}
        {...bound(text, setText)}
      />
      <Facts
        facts={Object.entries(templatePlaceholders).map(([name, meaning]) => [`{${name}}`, meaning] as const)}
      />
      <span className="row wrap">
        <PushButton busy={preview.isPending} onClick={() => preview.mutate()}>
          Preview
        </PushButton>
        {!saved.isDefault && (
          <PushButton busy={resetting.isPending} onClick={() => resetting.mutate()}>
            Reset to default
          </PushButton>
        )}
      </span>
      <FormError error={preview.error ?? resetting.error} />
      {preview.data && <Preview request={preview.data} />}
    </Form>
  )
}

const Preview = ({ request }: { request: EmployeeRequest }) => (
  <>
    <Facts facts={[['Subject', request.subject]]} />
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by keys */}
    <section className="mail-text" tabIndex={0} aria-label="Preview of the e-mail">
      {request.text}
    </section>
  </>
)
