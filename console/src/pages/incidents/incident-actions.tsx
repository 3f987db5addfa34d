import type { ListedIncident } from '@muster/contract/console/incidents/incident'
import { noteLengthMaximum } from '@muster/contract/console/work/work-fields'
import { classifications } from '@muster/contract/records/detection'
import { Archive, ArchiveRestore } from 'lucide-react'
import { useState } from 'react'
import { administratorName, useAdministrators } from '../../data/administrators.ts'
import { messageOf } from '../../data/console-send.ts'
import { useHasRole } from '../../data/session.ts'
import { PushButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { showToast } from '../../ui/dialog/toasts.tsx'
import { ChoiceField, TextArea } from '../../ui/form/field.tsx'
import { bound, Form } from '../../ui/form/form.tsx'
import { counted } from '../../ui/text/counted.ts'
import { labelOf } from '../../ui/text/labels.ts'
import { useChangeIncident } from './use-incident.ts'

interface ChangeProps {
  readonly incident: ListedIncident
  readonly onClose: () => void
}

const dialogs = { assign: AssignDialog, note: NoteDialog, close: CloseDialog } as const

/** Buttons that change all detections of an incident. */
export function IncidentActions({ incident }: { incident: ListedIncident }) {
  const mayWrite = useHasRole('FULL_ACCESS')
  const [open, setOpen] = useState<keyof typeof dialogs>()
  const onClose = () => setOpen(undefined)
  const reopen = useChangeIncident(incident.id, onClose)
  if (!mayWrite) return null
  const Shown = open && dialogs[open]
  return (
    <>
      <PushButton onClick={() => setOpen('assign')}>Assign</PushButton>
      <PushButton onClick={() => setOpen('note')}>Add note</PushButton>
      {incident.status === 'OPEN' ? (
        <PushButton kind="primary" onClick={() => setOpen('close')}>
          <Archive />
          Close incident
        </PushButton>
      ) : (
        <PushButton
          busy={reopen.isPending}
          onClick={() =>
            reopen.mutate(
              { change: { archived: false }, done: (detections) => `${detections} unarchived.` },
              { onError: (error) => showToast(messageOf(error), true) },
            )
          }
        >
          <ArchiveRestore />
          Reopen incident
        </PushButton>
      )}
      {Shown && <Shown incident={incident} onClose={onClose} />}
    </>
  )
}

const Scope = ({ incident }: { incident: ListedIncident }) => (
  <p className="soft">This changes {counted(incident.detections, 'detection')}.</p>
)

function AssignDialog({ incident, onClose }: ChangeProps) {
  const { data } = useAdministrators()
  const [assignee, setAssignee] = useState(incident.assigneeId ?? '')
  const sending = useChangeIncident(incident.id, onClose)
  const people = (data?.administrators ?? []).map((one) => [one.id, administratorName(one)] as const)
  const change = { assigneeId: assignee === '' ? null : assignee }
  const done = (detections: string) => `${detections} ${assignee === '' ? 'unassigned' : 'assigned'}.`
  return (
    <Dialog title="Assign incident" onClose={onClose} narrow>
      <Form
        sending={{ ...sending, mutate: () => sending.mutate({ change, done }) }}
        action="Assign"
        disabled={!data}
        onCancel={onClose}
      >
        <Scope incident={incident} />
        <ChoiceField
          label="Assignee"
          choices={[['', 'Nobody'], ...people]}
          {...bound(assignee, setAssignee)}
        />
      </Form>
    </Dialog>
  )
}

function NoteDialog({ incident, onClose }: ChangeProps) {
  const [note, setNote] = useState('')
  const sending = useChangeIncident(incident.id, onClose)
  return (
    <Dialog title="Add note" onClose={onClose} narrow>
      <Form
        sending={{
          ...sending,
          mutate: () =>
            sending.mutate({
              change: { note: note.trim() },
              done: (detections) => `Note added to ${detections}.`,
            }),
        }}
        action="Add note"
        disabled={note.trim() === ''}
        onCancel={onClose}
      >
        <Scope incident={incident} />
        <TextArea label="Note" name="note" rows={3} maxLength={noteLengthMaximum} {...bound(note, setNote)} />
      </Form>
    </Dialog>
  )
}

/** Classifications that a dialog offers; the empty one leaves them as they are. */
const classes = classifications
  .filter((one) => one !== 'NOT_CLASSIFIED')
  .map((one) => [one, labelOf(one)] as const)

function CloseDialog({ incident, onClose }: ChangeProps) {
  const [classification, setClassification] = useState('')
  const [note, setNote] = useState('')
  const sending = useChangeIncident(incident.id, onClose)
  const chosen = classifications.find((one) => one === classification)
  const text = note.trim()
  const change = {
    archived: true,
    ...(chosen && { classification: chosen }),
    ...(text !== '' && { note: text }),
  }
  return (
    <Dialog title="Close incident" onClose={onClose} narrow>
      <Form
        sending={{
          ...sending,
          mutate: () => sending.mutate({ change, done: (detections) => `${detections} archived.` }),
        }}
        action="Close incident"
        onCancel={onClose}
      >
        <p className="soft">
          This archives {counted(incident.detections, 'detection')}. A new detection opens the incident again.
        </p>
        <ChoiceField
          label="Classification"
          choices={[['', 'Leave unchanged'], ...classes]}
          {...bound(classification, setClassification)}
        />
        <TextArea
          label="Note (optional)"
          name="note"
          rows={3}
          maxLength={noteLengthMaximum}
          {...bound(note, setNote)}
        />
      </Form>
    </Dialog>
  )
}
